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
LINEAGE ?=
ENCODER ?=
ENCODER_HEADS ?=
TOKEN_IDS ?=
NAME ?=
LAYERS ?=
MODELS ?=
ROWS_WORDS ?=
LIMIT ?=
TRANSPOSE ?=
RANK_WORDS ?=
RANK_POSITIONS ?=
OUT ?= reports/out
# The preset long has a report of its own, beside the studies of full.
published_full := reports/published
PUBLISHED ?= $(published_full)$(if $(filter long,$(PRESET)),/long)
MOVED ?=
BACKENDS ?=
KERNELS ?= each
A ?=
B ?=
SHAPES ?= 20
ROUNDS ?= 5
PEERS ?= numpy numpy2 torch eigen
RUNS ?= 2000000
SECONDS ?= 0
JOBS ?= $(shell nproc)
BUILD ?= build
CMAKE_FLAGS ?=
KEPT ?= $(BUILD)
MPI ?=
RANKS ?=

variables = PRESET SEED THREADS STUDIES ONLY BLAS CORPUS WORDS POSITIONS ROWS QUERY KEY HEADS QUERY_BIAS KEY_BIAS LAYERNORM NAME \
  LINEAGE LAYERS ENCODER ENCODER_HEADS TOKEN_IDS MODELS ROWS_WORDS LIMIT TRANSPOSE RANK_WORDS RANK_POSITIONS OUT PUBLISHED MOVED \
  BACKENDS KERNELS A B SHAPES ROUNDS PEERS RUNS SECONDS JOBS \
  BUILD CMAKE_FLAGS KEPT MPI RANKS
scaling_preset := $(if $(filter command line,$(origin PRESET)),$(value PRESET),quick)

# What is given is text: neither make nor the shell runs anything in it. This stands before the first $(shell …), whose
# environment would hold the values with make's functions carried out.
define newline


endef
$(foreach v,$(variables),$(if $(filter command environment,$(firstword $(origin $v))),\
  $(if $(findstring $(newline),$(value $v)),$(error $v holds a line break))$(eval override $v := $$(value $v))))
$(foreach v,OUT BUILD KEPT PUBLISHED,$(if $(strip $($v)),,$(error $v is empty; expected the name of a folder)))
quote = '$(subst ','\'',$1)'
# $(call q,OUT) is the value as one word of the shell; $(call each,STUDIES) its words.
q = $(call quote,$($1))
each = $(foreach w,$($1),$(call quote,$w))

# git reads another user's checkout only where it is told to; make reads this file there already.
git := git -c safe.directory=$(call q,CURDIR)
export PERP_COMMIT := $(shell $(git) rev-parse --short=12 HEAD 2>/dev/null || echo unknown)$(shell $(git) diff --quiet HEAD -- . ":!tests" ":!docs" ":!reports/published" 2>/dev/null || [ $$? -ne 1 ] || echo +changes)

# RANKS=4 runs every study as four processes; the threads are shared out among them, at least one each.
with_ranks = $(if $(RANKS),PERP_RANKS=$(call q,RANKS))
threads_each = $(if $(RANKS),$(shell n=$(call q,RANKS) all=$(call q,THREADS); \
  [ "$$n" -gt 0 ] 2>/dev/null && [ "$$all" -gt "$$n" ] && echo $$((all / n)) || echo 1),$(call q,THREADS))
claims = scripts/claims $(call q,ONLY) $(call q,STUDIES) $(call quote,$(WORDS)$(POSITIONS)$(MODELS))
with_blas = $(if $(BLAS),scripts/with-blas $(call q,BLAS))
compile = scripts/compile $(call q,BUILD) $(call q,JOBS)

# $(call given,rows,ROWS) is --rows '…' if that was set; scripts/report gives each study the options it has.
given = $(if $($2),--$1 $(call q,$2))
study_options = --preset $(call q,PRESET) --seed $(call q,SEED) --threads $(threads_each) $(call given,only,ONLY) \
  $(call given,corpus,CORPUS) $(call given,words,WORDS) $(call given,positions,POSITIONS) $(call given,rows,ROWS) \
  $(call given,query,QUERY) $(call given,key,KEY) $(call given,heads,HEADS) $(call given,query-bias,QUERY_BIAS) \
  $(call given,key-bias,KEY_BIAS) $(call given,layernorm,LAYERNORM) $(call given,lineage,LINEAGE) \
  $(call given,encoder,ENCODER) $(call given,encoder-heads,ENCODER_HEADS) $(call given,token-ids,TOKEN_IDS) \
  $(call given,name,NAME) $(call given,models,MODELS) $(call given,rows-words,ROWS_WORDS) $(call given,limit,LIMIT) \
  $(call given,transpose,TRANSPOSE) $(call given,rank-words,RANK_WORDS) $(call given,rank-positions,RANK_POSITIONS)
render_options = --results $(call q,OUT) --templates reports/templates --figures reports/figures --out $(call q,OUT)
sources = $$(git ls-files --cached --others --exclude-standard '*.hpp' '*.cpp')

.PHONY: fuzz scaling
.PHONY: bench-compare bench-publish
.PHONY: inspect test-scale bench-peers backends bench blas-check deps-bench bench-programs
.PHONY: deps-mpi deps-slurm mpi test-slurm paper
.PHONY: help deps deps-test deps-ci configured build chosen programs reports verify choices figures publish test test-survival sanitize format format-check lint doctor install clean
.PHONY: sanitize-threads coverage mutate trust

help: ## this list
	@echo "Perpendicular: why can positional encodings be added to token embeddings?"; echo
	@awk -F ':.*## ' '/^[a-z-]+:.*## /{printf "  make %-16s %s\n", $$1, $$2}' Makefile; echo
	@echo "Variables, with what they are now:"
	@echo "  PRESET="$(call q,PRESET)"  quick (a minute, building not counted), full (the report) or long"
	@echo "  SEED="$(call q,SEED)"       names all random streams"
	@echo "  THREADS="$(call q,THREADS)"    cells side by side; results do not depend on it"
	@echo "  RANKS="$(call q,RANKS)"      processes of mpirun that share the cells; MPI=1 only builds for that"
	@echo "  KEPT="$(call q,KEPT)"     where finished cells and learned words are kept; ranks on several machines share it"
	@echo "  STUDIES=\""$(call q,STUDIES)"\""
	@echo "  ONLY="$(call q,ONLY)"        one claim or several, for example ONLY=O4"
	@echo "  BLAS="$(call q,BLAS)"        for example blis-pthread, or name=folder of a libblas.so.3"
	@echo "  PERP_KERNELS=$${PERP_KERNELS:-best}  kernels of OpenBLAS and BLIS: the best for this processor by a fixed table, as-picked, or a core type"
	@echo "  CORPUS="$(call q,CORPUS)"      a UTF-8 text (plain or gzip) to learn words from, instead of Debian's dict-gcide"
	@echo "  WORDS="$(call q,WORDS)"       your own word vectors (.npy, or word2vec/GloVe text) instead of learned ones"
	@echo "  POSITIONS="$(call q,POSITIONS)"  a table of positions, one per row (FILE or FILE:TENSOR), and of it ROWS="$(call q,ROWS)" (1:513 is 1 to 512)"
	@echo "  QUERY="$(call q,QUERY)" KEY="$(call q,KEY)" HEADS="$(call q,HEADS)"  the weights that read it; also QUERY_BIAS, KEY_BIAS, LAYERNORM=GAIN,BIAS"
	@echo "  ENCODER="$(call q,ENCODER)" ENCODER_HEADS="$(call q,ENCODER_HEADS)" TOKEN_IDS="$(call q,TOKEN_IDS)"  an encoder like BERT and texts for it (docs/token_ids.py)"
	@echo "  NAME="$(call q,NAME)"        what the chapter \"Your model\" calls it; also ROWS_WORDS, LIMIT, TRANSPOSE, RANK_WORDS, RANK_POSITIONS"
	@echo "  LAYERS="$(call q,LAYERS)"      for make inspect: a file with all layers' query and key weights (.gguf; safetensors with HEADS)"
	@echo "  MODELS="$(call q,MODELS)"      several models side by side: a file of lines [name] and option = value"
	@echo "  OUT="$(call q,OUT)""
	@echo "  PUBLISHED="$(call q,PUBLISHED)"  what make verify compares with"
	@echo "  BACKENDS=\""$(call q,BACKENDS)"\"  name=folder …: for make bench and blas-check, beside Debian's; BLAS=\"a b\" keeps those"
	@echo "  KERNELS=\""$(call q,KERNELS)"\"  core types of OpenBLAS and BLIS for make bench: each that this processor runs, picked (none), or names"
	@echo "  SHAPES="$(call q,SHAPES)"    random shapes an operation and type, for make blas-check"
	@echo "  ROUNDS="$(call q,ROUNDS)"     turns of make bench-peers, with PEERS=\""$(call q,PEERS)"\" (those that are here)"
	@echo "  RUNS="$(call q,RUNS)" SECONDS="$(call q,SECONDS)"  how long make fuzz tries each reader"
	@echo "  MOVED="$(call q,MOVED)"      yes: make publish may replace numbers by others"

deps: ## install what building and reporting need (asks before sudo; prints the list where there is no apt)
	@scripts/deps deps

deps-test: ## install what building and running the tests needs on top
	@scripts/deps deps deps-test

deps-ci: ## install what the checks need on top
	@scripts/deps deps deps-ci

# xargs takes the flags apart at blanks and quotes and runs nothing in them.
configured:
	@[ -f $(call q,BUILD)/build.ninja ] || said=$$(xargs cmake -S . -B $(call q,BUILD) -G Ninja <<<$(call q,CMAKE_FLAGS) 2>&1) || \
	  { echo "$$said" >&2; exit 1; }

deps-mpi: ## install Boost.MPI and Open MPI, for RANKS and MPI=1
	@scripts/deps deps deps-mpi

deps-slurm: ## install Slurm on top, for make test-slurm
	@scripts/deps deps deps-mpi deps-slurm

# With RANKS or MPI=1 the studies are linked for mpirun, too: $(BUILD)/mpi/studies. The option stays set from then on.
mpi: $(if $(MPI)$(RANKS),deps-mpi) configured
	@$(if $(MPI)$(RANKS),grep -q '^PERP_MPI:BOOL=ON' $(call q,BUILD)/CMakeCache.txt || cmake -S . -B $(call q,BUILD) -DPERP_MPI=ON >/dev/null,:)

build: deps-test configured mpi ## compile the library, studies, renderer and tests (MPI=1: the studies for mpirun, too)
	@$(compile)

# A report needs neither the tests nor the other studies; what is asked for and not there is said before anything is built.
chosen:
	@$(claims) >/dev/null
programs: chosen deps configured mpi
	@studies=$$($(claims) | cut -d ' ' -f 1); $(compile) $$studies $(if $(RANKS),$$(sed 's/$$/_mpi/' <<<"$$studies")) render

reports: programs ## run the studies and write reports/out/REPORT.md with its chapters, and site/ for a browser
	@$(with_ranks) $(with_blas) scripts/report $(call q,BUILD) $(call q,KEPT) $(call q,OUT) $(call q,STUDIES) $(study_options)

inspect: ## your model beside chance: WORDS=… POSITIONS=… NAME=…, once per model; they stand side by side in the report
	@$(MAKE) --no-print-directory programs STUDIES=inspect
	@$(with_blas) scripts/inspect $(call q,BUILD) $(call q,OUT) $(call q,BUILD)/models.txt $(call q,NAME) $(call q,PRESET) \
	  $(call q,SEED) $(call q,THREADS) words=$(call q,WORDS) positions=$(call q,POSITIONS) rows-words=$(call q,ROWS_WORDS) rows=$(call q,ROWS) \
	  limit=$(call q,LIMIT) transpose=$(call q,TRANSPOSE) rank-words=$(call q,RANK_WORDS) rank-positions=$(call q,RANK_POSITIONS) \
	  query=$(call q,QUERY) key=$(call q,KEY) heads=$(call q,HEADS) query-bias=$(call q,QUERY_BIAS) \
	  key-bias=$(call q,KEY_BIAS) layernorm=$(call q,LAYERNORM) lineage=$(call q,LINEAGE) layers=$(call q,LAYERS) \
	  encoder=$(call q,ENCODER) encoder-heads=$(call q,ENCODER_HEADS) token-ids=$(call q,TOKEN_IDS)

verify: programs ## measure everything afresh and compare with the published report (SEED=2, BLAS=…, THREADS=… too)
	@$(compile) verify
	@$(with_ranks) $(with_blas) scripts/verify $(call q,BUILD) $(call q,PUBLISHED) $(call q,PRESET) $(call q,STUDIES) $(study_options)

choices: ## choose the rates and sizes that claim A10 trains with, on seeds of their own, into studies/learning/choices.csv
	@$(MAKE) --no-print-directory programs STUDIES=learning
	@$(with_blas) $(call q,BUILD)/studies/learning --choose yes --seed $(call q,SEED) --threads $(call q,THREADS) --build $(call q,KEPT) \
	  --out $(call q,BUILD)/choices
	@cp $(call q,BUILD)/choices/choices.csv studies/learning/choices.csv

figures: programs ## draw the figures again from the tables already measured
	@scripts/alone $(call q,OUT) $(call q,BUILD)/reports/render $(render_options) --only-figures

site: programs ## write the report in OUT again, and all its pages as one file for mailing, too: reports/out/report.html
	@scripts/alone $(call q,OUT) $(call q,BUILD)/reports/render $(render_options) --single

publish: programs ## copy the report in OUT to reports/published (PRESET=long: to its folder long) and bring the README's numbers up to date
	@$(compile) verify
	@scripts/publish $(call q,BUILD) $(call q,OUT) $(published_full)$(if $(filter long,$(PRESET)),/long) $(call q,MOVED) \
	  $(if $(filter long,$(PRESET)),long,full)
	@$(call q,BUILD)/reports/render --results $(published_full) --templates reports/templates --figures reports/figures \
	  --out $(published_full) --readme README.md

deps-bench: deps ## install Google Benchmark and Debian's BLAS libraries; what the loader takes by default stays
	@scripts/deps-bench

bench-programs: deps-bench configured
	@cmake -S . -B $(call q,BUILD) -DPERP_BENCH=ON >/dev/null
	@$(compile) bench worker compare_runs render

bench_options = --backends $(call q,BACKENDS) --only $(call q,BLAS) --kernels $(call q,KERNELS) \
  --threads $(if $(filter 1,$(THREADS)),1,1,$(call q,THREADS)) --preset $(call q,PRESET)

bench: bench-programs ## which BLAS is fastest and right for this work, and how near the limit: reports/out/BENCHMARKS.md
	@scripts/bench $(call q,BUILD) $(call q,OUT) $(bench_options)

bench-compare: bench-programs ## two runs of make bench against each other: A=… B=…, folders or FILE:LINE of a history.jsonl
	@$(call q,BUILD)/bench/compare_runs --a $(call q,A) --b $(call q,B)

bench-publish: bench-programs ## copy BENCHMARKS.md with tables and figures to reports/published, and its line into the history there
	@scripts/bench-publish $(call q,BUILD) $(call q,OUT) $(published_full)

blas-check: bench-programs ## hold every operation of every BLAS against a reference at random shapes (SHAPES, SEED)
	@$(call q,BUILD)/bench/bench $(bench_options) --check --random $(call q,SHAPES) --seed $(call q,SEED) \
	  --out $(call q,BUILD)/bench/check

bench-peers: deps configured ## six workloads here, in NumPy, PyTorch and Eigen, in turns, into BENCHMARKS.md
	@scripts/deps deps deps-bench deps-peers
	@cmake -S . -B $(call q,BUILD) -DPERP_BENCH=ON >/dev/null
	@$(compile) workloads compare_peers eigen_peer
	@$(with_blas) scripts/bench-peers $(call q,BUILD) $(call q,OUT) $(call q,ROUNDS) $(call q,PEERS)

scaling: deps-bench configured ## time against cells, L, V, d and threads, and on paper far beyond: reports/out/SCALING.md (quick unless PRESET=full)
	@cmake -S . -B $(call q,BUILD) -DPERP_BENCH=ON >/dev/null
	@$(compile) $(call each,STUDIES) scaling render
	@$(with_blas) scripts/scaling $(call q,BUILD) $(call q,OUT) $(call q,ROUNDS) $(call q,STUDIES) $(call q,scaling_preset) $(call q,THREADS)

backends: deps ## BLAS libraries that pip can bring, under build/backends; prints them for BACKENDS="…"
	@scripts/deps deps deps-backends
	@scripts/backends $(call q,BUILD)

paper: ## the paper of docs/paper as PDF, by pandoc and LaTeX: build/paper/paper.pdf
	@scripts/deps deps deps-paper
	@scripts/paper $(call q,BUILD)

test: build ## all tests
	@ctest --test-dir $(call q,BUILD) --output-on-failure -j 2

test-survival: build ## kill a quick run at twenty moments, fill its disk; the same bytes in the end (MPI=1: kill ranks, too)
	@tests/cli/survival.sh $(call q,BUILD) 20
	@$(if $(MPI),tests/cli/ranks.sh $(call q,BUILD) 5)

test-slurm: deps-slurm ## docs/slurm/report.sbatch on a Slurm of one node that is started for it and goes away again
	@$(MAKE) --no-print-directory build MPI=1
	@tests/cli/slurm.sh $(call q,BUILD)

test-scale: build ## a million words of 1,024 numbers (4 GB, made and deleted) against 2,048 positions within 1 GiB of memory
	@tests/cli/scale.sh $(call q,BUILD)

# What these, and make fuzz, come to is noted for docs/TRUST.md.
note = scripts/trust $(call q,BUILD)

# By clang, which compiles this in a quarter to a half of the time that g++ takes; .ci/run says why -O1.
sanitize: deps-test ## all tests under AddressSanitizer and UndefinedBehaviorSanitizer
	@scripts/deps deps deps-ci
	@cmake -S . -B $(call q,BUILD)/sanitize -G Ninja -DCMAKE_CXX_COMPILER=clang++ -DCMAKE_BUILD_TYPE=Debug \
	  -DCMAKE_CXX_FLAGS_DEBUG=-O1 -DPERP_SANITIZE=address,undefined >/dev/null
	@scripts/compile $(call q,BUILD)/sanitize $(call q,JOBS)
	@ctest --test-dir $(call q,BUILD)/sanitize --output-on-failure -j $(call q,JOBS) --timeout 7200 | tee $(call q,BUILD)/sanitize/log
	@sed -nE '/tests passed|\(Skipped\)/s/^[[:space:]]*([0-9]+ - )?/* /p' $(call q,BUILD)/sanitize/log | $(note) sanitize "make sanitize"

sanitize-threads: deps-test ## parallel loops, the cell store, experiments and streamed tables under ThreadSanitizer
	@cmake -S . -B $(call q,BUILD)/threads -G Ninja -DCMAKE_BUILD_TYPE=RelWithDebInfo -DPERP_SANITIZE=thread >/dev/null
	@scripts/compile $(call q,BUILD)/threads $(call q,JOBS) test_base test_study test_measures
	@tests/cli/threads.sh $(call q,BUILD)/threads | tee $(call q,BUILD)/threads/log
	@$(note) threads "make sanitize-threads" <$(call q,BUILD)/threads/log

# Those that make the same quick report again and again, for its bytes, killed, verified, would take most of the time.
coverage: deps-test ## which lines and branches the tests reach, by folder and file
	@scripts/deps deps deps-ci
	@cmake -S . -B $(call q,BUILD)/coverage -G Ninja -DCMAKE_BUILD_TYPE=Debug -DCMAKE_CXX_FLAGS_DEBUG=-O1 \
	  -DCMAKE_CXX_FLAGS='--coverage -fprofile-update=atomic' >/dev/null
	@scripts/compile $(call q,BUILD)/coverage $(call q,JOBS)
	@find $(call q,BUILD)/coverage -name '*.gcda' -delete
	@ctest --test-dir $(call q,BUILD)/coverage --output-on-failure -E '^(cli_bytes|cli_commands|cli_survival|cli_verify)$$'
	@gcovr --root . --filter lib/perp --filter studies --filter reports --exclude-throw-branches --exclude-unreachable-branches \
	  -j $(call q,JOBS) --json-summary $(call q,BUILD)/coverage/summary.json $(call q,BUILD)/coverage
	@tests/coverage.py $(call q,BUILD)/coverage/summary.json | tee $(call q,BUILD)/coverage/log
	@$(note) coverage "make coverage" <$(call q,BUILD)/coverage/log

mutate: deps-test ## single changes to the sources, each of which a test must notice (ONLY=ids; goes on where it was stopped)
	@tests/mutations/run.py --folder $(call q,BUILD)/mutate --only $(call q,ONLY) --jobs $(call q,JOBS) && status=0 || status=$$?; \
	  tests/mutations/run.py --folder $(call q,BUILD)/mutate --table | $(note) mutations "make mutate"; exit $$status

trust: ## bring docs/TRUST.md up to date with what these, make fuzz and tests/cli/fresh.sh noted
	@$(note)

fuzz: deps ## feed made-up files to every reader under the sanitizers (RUNS=… each, at most SECONDS=… each; 0 is no limit)
	@scripts/deps deps deps-ci
	@cmake -S . -B $(call q,BUILD)/fuzz -G Ninja -DCMAKE_CXX_COMPILER=clang++ -DPERP_FUZZ=ON -DPERP_TESTS=OFF >/dev/null
	@scripts/compile $(call q,BUILD)/fuzz $(call q,JOBS) fuzzers
	@tests/fuzz/run.sh $(call q,BUILD)/fuzz tests/fuzz/corpus $(call q,RUNS) $(call q,SECONDS) | tee $(call q,BUILD)/fuzz/log
	@sed 's/^/* /' $(call q,BUILD)/fuzz/log | $(note) fuzz "make fuzz RUNS="$(call q,RUNS)" SECONDS="$(call q,SECONDS)

format: ## clang-format every source
	@clang-format -i $(sources)

format-check: ## fail if clang-format would change a source
	@clang-format --dry-run --Werror $(sources)

lint: build ## clang-tidy, and shellcheck for the scripts
	@shellcheck -x -P SCRIPTDIR -S warning $$(grep -l "^#!.* bash$$" scripts/*) tests/cli/*.sh tests/fuzz/run.sh .ci/run
	@run-clang-tidy -quiet -p $(call q,BUILD) $(call q,CURDIR)'/(lib|studies|reports)/.*' 2>/dev/null

doctor: ## what is installed, what is loaded, what is missing, and what to type
	@scripts/doctor $(call q,BUILD)

install: build ## install the library for find_package(perp) (CMAKE_FLAGS=-DCMAKE_INSTALL_PREFIX=…)
	@cmake --install $(call q,BUILD)

clean: ## remove the build folder, kept cells and learned words included
	@scripts/clean $(call q,BUILD)
