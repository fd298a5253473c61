# Verbs only: what each does is in `make help`; how, in CMake and the programs.
SHELL := /bin/bash
.SHELLFLAGS := -eu -o pipefail -c
.DEFAULT_GOAL := help

PRESET ?= full
SEED ?= 1
THREADS ?= $(shell nproc)
# A model that is given has a chapter of its own.
STUDIES ?= orthogonality distance capacity order learning anatomy$(if $(WORDS)$(POSITIONS)$(MODELS), inspect)
ONLY ?=
BLAS ?=
CORPUS ?=
WORDS ?=
POSITIONS ?=
ROWS ?=
QUERY ?=
KEY ?=
HEADS ?=
QUERY_BIAS ?=
KEY_BIAS ?=
LAYERNORM ?=
NAME ?=
MODELS ?=
ROWS_WORDS ?=
LIMIT ?=
TRANSPOSE ?=
RANK_WORDS ?=
RANK_POSITIONS ?=
OUT ?= reports/out
PUBLISHED ?= reports/published
MOVED ?=
BACKENDS ?=
SHAPES ?= 20
ROUNDS ?= 5
PEERS ?= numpy
RUNS ?= 2000000
SECONDS ?= 0
JOBS ?= $(shell nproc)
BUILD ?= build
CMAKE_FLAGS ?=
KEPT ?= $(BUILD)
MPI ?=
RANKS ?=

export PERP_COMMIT := $(shell git rev-parse --short=12 HEAD 2>/dev/null || echo unknown)$(shell git diff --quiet HEAD 2>/dev/null || echo +changes)

# BLAS=blis-pthread names a folder of Debian's alternatives, BLAS=name=folder any other.
blas_folder = $(if $(findstring =,$(BLAS)),$(lastword $(subst =, ,$(BLAS))),/usr/lib/$(shell gcc -print-multiarch)/$(BLAS))
with_blas = $(if $(BLAS),LD_LIBRARY_PATH=$(blas_folder)$${LD_LIBRARY_PATH:+:$$LD_LIBRARY_PATH})

# RANKS=4 runs every study as four processes; the threads are shared out among them, at least one each.
with_ranks = $(if $(RANKS),PERP_RANKS=$(RANKS))
threads_each = $(if $(RANKS),$(shell [ "$(RANKS)" -gt 0 ] 2>/dev/null && [ $(THREADS) -gt $(RANKS) ] && echo $$(($(THREADS) / $(RANKS))) || echo 1),$(THREADS))
mpi_programs = $(if $(RANKS),$(addsuffix _mpi,$(STUDIES)))

# $(call given,rows,ROWS) is --rows "$(ROWS)" if that was set; scripts/report gives each study the options it has.
given = $(if $($2),--$1 "$($2)")
study_options = --preset $(PRESET) --seed $(SEED) --threads $(threads_each) $(call given,only,ONLY) \
  $(call given,corpus,CORPUS) $(call given,words,WORDS) $(call given,positions,POSITIONS) $(call given,rows,ROWS) \
  $(call given,query,QUERY) $(call given,key,KEY) $(call given,heads,HEADS) $(call given,query-bias,QUERY_BIAS) \
  $(call given,key-bias,KEY_BIAS) $(call given,layernorm,LAYERNORM) \
  $(call given,name,NAME) $(call given,models,MODELS) $(call given,rows-words,ROWS_WORDS) $(call given,limit,LIMIT) \
  $(call given,transpose,TRANSPOSE) $(call given,rank-words,RANK_WORDS) $(call given,rank-positions,RANK_POSITIONS)
render_options = --results $(OUT) --templates reports/templates --figures reports/figures --out $(OUT)
# The command as it goes into reports/published/run.json: what differs from the defaults is named.
run_command = make reports PRESET=$(PRESET) SEED=$(SEED) STUDIES='$(STUDIES)'$(if $(RANKS), RANKS=$(RANKS))$(if $(BLAS), BLAS=$(notdir $(BLAS)))$(if $(MODELS), MODELS=$(notdir $(MODELS)))
sources = $$(git ls-files --cached --others --exclude-standard '*.hpp' '*.cpp')

.PHONY: fuzz scaling
.PHONY: inspect test-scale bench-peers backends bench blas-check deps-bench bench-programs
.PHONY: deps-mpi deps-slurm mpi test-slurm
.PHONY: help deps deps-ci build programs reports verify figures publish test test-survival sanitize format format-check lint doctor install clean

help: ## this list
	@echo "Perpendicular: why may positional encodings be added to word vectors?"; echo
	@awk -F ':.*## ' '/^[a-z-]+:.*## /{printf "  make %-13s %s\n", $$1, $$2}' Makefile; echo
	@echo "Variables, with what they are now:"
	@echo "  PRESET=$(PRESET)  quick (seconds), full (the report) or long"
	@echo "  SEED=$(SEED)       names all random streams"
	@echo "  THREADS=$(THREADS)    cells side by side; results do not depend on it"
	@echo "  RANKS=$(RANKS)      processes of mpirun that share the cells; MPI=1 only builds for that"
	@echo "  KEPT=$(KEPT)     where finished cells and learned words are kept; ranks on several machines share it"
	@echo "  STUDIES=\"$(STUDIES)\""
	@echo "  ONLY=$(ONLY)        one claim or several, for example ONLY=O4"
	@echo "  BLAS=$(BLAS)        for example blis-pthread, or name=folder of a libblas.so.3"
	@echo "  CORPUS=$(CORPUS)      a UTF-8 text (plain or gzip) to learn words from, instead of Debian's dict-gcide"
	@echo "  WORDS=$(WORDS)       your own word vectors (.npy, or word2vec/GloVe text) instead of learned ones"
	@echo "  POSITIONS=$(POSITIONS)  a table of positions, one per row (FILE or FILE:TENSOR), and of it ROWS=$(ROWS) (1:513 is 1 to 512)"
	@echo "  QUERY=$(QUERY) KEY=$(KEY) HEADS=$(HEADS)  the weights that read it; also QUERY_BIAS, KEY_BIAS, LAYERNORM=GAIN,BIAS"
	@echo "  NAME=$(NAME)        what the chapter \"Your model\" calls it; also ROWS_WORDS, LIMIT, TRANSPOSE, RANK_WORDS, RANK_POSITIONS"
	@echo "  MODELS=$(MODELS)      several models side by side: a file of lines [name] and option = value"
	@echo "  OUT=$(OUT)"
	@echo "  PUBLISHED=$(PUBLISHED)  what make verify compares with"
	@echo "  BACKENDS=\"$(BACKENDS)\"  name=folder …: for make bench and blas-check, beside Debian's; BLAS=\"a b\" keeps those"
	@echo "  SHAPES=$(SHAPES)    random shapes an operation and type, for make blas-check"
	@echo "  ROUNDS=$(ROUNDS)     turns of make bench-peers, with PEERS=\"$(PEERS)\" (numpy, torch)"
	@echo "  RUNS=$(RUNS) SECONDS=$(SECONDS)  how long make fuzz tries each reader"
	@echo "  MOVED=$(MOVED)      yes: make publish may replace numbers by others"

deps: ## install what building and reporting need (asks before sudo; prints the list where there is no apt)
	@scripts/deps deps

deps-ci: ## install what the checks need on top
	@scripts/deps deps deps-ci

$(BUILD)/build.ninja:
	@cmake -S . -B $(BUILD) -G Ninja $(CMAKE_FLAGS) >$(BUILD).log 2>&1 || { cat $(BUILD).log; exit 1; }; rm -f $(BUILD).log

deps-mpi: ## install Boost.MPI and Open MPI, for RANKS and MPI=1
	@scripts/deps deps deps-mpi

deps-slurm: ## install Slurm on top, for make test-slurm
	@scripts/deps deps deps-mpi deps-slurm

# With RANKS or MPI=1 the studies are linked for mpirun, too: $(BUILD)/mpi/studies. The option stays set from then on.
mpi: $(if $(MPI)$(RANKS),deps-mpi) $(BUILD)/build.ninja
	@$(if $(MPI)$(RANKS),grep -q '^PERP_MPI:BOOL=ON' $(BUILD)/CMakeCache.txt || cmake -S . -B $(BUILD) -DPERP_MPI=ON >/dev/null,:)

build: deps $(BUILD)/build.ninja mpi ## compile the library, studies, renderer and tests (MPI=1: the studies for mpirun, too)
	@cmake --build $(BUILD) -j $(JOBS)

# A report needs neither the tests nor the other studies.
programs: deps $(BUILD)/build.ninja mpi
	@for study in $(STUDIES); do [ -f studies/$$study/main.cpp ] || { \
	  echo "no study '$$study'; there are: $(patsubst studies/%/main.cpp,%,$(wildcard studies/*/main.cpp))" >&2; exit 2; }; done
	@cmake --build $(BUILD) -j $(JOBS) --target $(STUDIES) $(mpi_programs) render

reports: programs ## run the studies and write reports/out/REPORT.md and report.html
	@$(with_blas) $(with_ranks) scripts/report $(BUILD) $(KEPT) $(OUT) "$(STUDIES)" $(study_options)

inspect: ## your model beside chance: WORDS=… POSITIONS=… NAME=…, once per model; they stand side by side in the report
	@$(MAKE) --no-print-directory programs STUDIES=inspect
	@$(with_blas) scripts/inspect $(BUILD) $(OUT) $(BUILD)/models.txt "$(NAME)" $(PRESET) $(SEED) $(THREADS) \
	  "words=$(WORDS)" "positions=$(POSITIONS)" "rows-words=$(ROWS_WORDS)" "rows=$(ROWS)" "limit=$(LIMIT)" \
	  "transpose=$(TRANSPOSE)" "rank-words=$(RANK_WORDS)" "rank-positions=$(RANK_POSITIONS)" "query=$(QUERY)" "key=$(KEY)" \
	  "heads=$(HEADS)" "query-bias=$(QUERY_BIAS)" "key-bias=$(KEY_BIAS)" "layernorm=$(LAYERNORM)"

verify: programs ## measure everything afresh and compare with the published report (SEED=2, BLAS=…, THREADS=… too)
	@cmake --build $(BUILD) -j $(JOBS) --target verify
	@$(with_blas) $(with_ranks) scripts/verify $(BUILD) $(PUBLISHED) $(PRESET) "$(STUDIES)" $(study_options)

figures: programs ## draw the figures again from the tables already measured
	@$(BUILD)/reports/render $(render_options) --only-figures

publish: programs ## copy the report in OUT to reports/published and bring the README's numbers up to date
	@cmake --build $(BUILD) -j $(JOBS) --target verify
	@scripts/publish $(BUILD) $(OUT) reports/published "$(MOVED)" "$(run_command)" "$(PERP_COMMIT)"
	@$(BUILD)/reports/render --results reports/published --templates reports/templates --figures reports/figures \
	  --out reports/published --readme README.md

deps-bench: deps ## install Google Benchmark and Debian's BLAS libraries; what the loader takes by default stays
	@scripts/deps-bench

bench-programs: deps-bench $(BUILD)/build.ninja
	@cmake -S . -B $(BUILD) -DPERP_BENCH=ON >/dev/null
	@cmake --build $(BUILD) -j $(JOBS) --target bench worker render

bench_options = --backends "$(BACKENDS)" --only "$(BLAS)" --threads $(if $(filter 1,$(THREADS)),1,1,$(THREADS)) --preset $(PRESET)

bench: bench-programs ## which BLAS is fastest and right for this work, and how near the limit: reports/out/BENCHMARKS.md
	@scripts/bench $(BUILD) $(OUT) $(bench_options)

blas-check: bench-programs ## hold every operation of every BLAS against a reference at random shapes (SHAPES, SEED)
	@$(BUILD)/bench/bench $(bench_options) --check --random $(SHAPES) --seed $(SEED) --out $(BUILD)/bench/check

bench-peers: deps $(BUILD)/build.ninja ## six workloads here and in NumPy on the same BLAS, in turns, into BENCHMARKS.md
	@scripts/deps deps deps-bench deps-peers
	@cmake -S . -B $(BUILD) -DPERP_BENCH=ON >/dev/null
	@cmake --build $(BUILD) -j $(JOBS) --target workloads compare_peers
	@$(with_blas) scripts/bench-peers $(BUILD) $(OUT) $(ROUNDS) "$(PEERS)"

scaling: deps-bench $(BUILD)/build.ninja ## time against cells, L, V, d and threads, and on paper far beyond: reports/out/SCALING.md (quick unless PRESET=full)
	@cmake -S . -B $(BUILD) -DPERP_BENCH=ON >/dev/null
	@cmake --build $(BUILD) -j $(JOBS) --target $(STUDIES) scaling render
	@$(with_blas) scripts/scaling $(BUILD) $(OUT) $(ROUNDS) "$(STUDIES)" $(if $(filter command line,$(origin PRESET)),$(PRESET),quick) $(THREADS)

backends: deps ## BLAS libraries that pip can bring, under build/backends; prints them for BACKENDS="…"
	@scripts/deps deps deps-backends
	@scripts/backends $(BUILD)

test: build ## all tests
	@scripts/deps deps-test
	@ctest --test-dir $(BUILD) --output-on-failure

test-survival: build ## kill a quick run at twenty moments, fill its disk; the same bytes in the end (MPI=1: kill ranks, too)
	@scripts/deps deps-test
	@tests/cli/survival.sh $(BUILD) 20
	@$(if $(MPI),tests/cli/ranks.sh $(BUILD) 5)

test-slurm: deps-slurm ## docs/slurm/report.sbatch on a Slurm of one node that is started for it and goes away again
	@$(MAKE) --no-print-directory build MPI=1
	@tests/cli/slurm.sh $(BUILD)

test-scale: build ## a million words of 1,024 numbers (4 GB, made and deleted) against 2,048 positions within 1 GiB of memory
	@tests/cli/scale.sh $(BUILD)

sanitize: deps ## all tests under AddressSanitizer and UndefinedBehaviorSanitizer
	@cmake -S . -B $(BUILD)/sanitize -G Ninja -DCMAKE_BUILD_TYPE=RelWithDebInfo -DPERP_SANITIZE=address,undefined >/dev/null
	@cmake --build $(BUILD)/sanitize -j $(JOBS)
	@ctest --test-dir $(BUILD)/sanitize --output-on-failure

fuzz: deps ## feed made-up files to every reader under the sanitizers (RUNS=… each, at most SECONDS=… each; 0 is no limit)
	@scripts/deps deps deps-ci
	@cmake -S . -B $(BUILD)/fuzz -G Ninja -DCMAKE_CXX_COMPILER=clang++ -DPERP_FUZZ=ON -DPERP_TESTS=OFF >/dev/null
	@cmake --build $(BUILD)/fuzz -j $(JOBS) --target fuzzers
	@tests/fuzz/run.sh $(BUILD)/fuzz tests/fuzz/corpus $(RUNS) $(SECONDS)

format: ## clang-format every source
	@clang-format -i $(sources)

format-check: ## fail if clang-format would change a source
	@clang-format --dry-run --Werror $(sources)

lint: build ## clang-tidy
	@run-clang-tidy -quiet -p $(BUILD) '$(CURDIR)/(lib|studies|reports)/.*' 2>/dev/null

doctor: ## what is installed, what is loaded, what is missing, and what to type
	@scripts/doctor $(BUILD)

install: build ## install the library for find_package(perp) (CMAKE_FLAGS=-DCMAKE_INSTALL_PREFIX=…)
	@cmake --install $(BUILD)

clean: ## remove the build folder, kept cells and learned words included
	@rm -rf $(BUILD)
