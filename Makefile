# `make help` lists the targets.

SHELL := /bin/bash
.SHELLFLAGS := -euo pipefail -c
.DEFAULT_GOAL := help
MAKEFLAGS += --no-print-directory

PREFIX ?= /usr/local
DESTDIR ?=
SECONDS ?= 60
SEED ?= 1

SWIFT ?= swift
RELEASE := .build/release/ued

# The release links everything but the C library statically, at fixed addresses: that halves its start
# time. The folder of archives has no shared C++ library that the linker would prefer. What depends on the
# folder of the build (build ID, debug information, hashes of modules) is left out or stripped by `install`. What a
# start runs is side by side, which needs the linker of the toolchain; what it does not know of the list it ignores.
ARCHIVES := .build/archives
comma := ,
# What of the mathematical library needs most of the rest: if a program links with these, ued does.
TRIED_FUNCTIONS := acosl asinhf atan2l cbrtl cosh erfl exp10 expm1l fma fmal fmodl hypotl jn lgammal_r log1pl log2l \
  nearbyintl nextafterl powl remquol rintl roundl sinl tanhl tgammal truncl yn
RELEASE_FLAGS := -c release --static-swift-stdlib --disable-local-rpath \
  -Xswiftc -Xclang-linker -Xswiftc -static-libgcc -Xswiftc -Xclang-linker -Xswiftc -no-pie \
  -Xlinker --gc-sections -Xlinker --build-id=none -Xlinker -L$(CURDIR)/$(ARCHIVES) \
  -Xswiftc -Xfrontend -Xswiftc -function-sections -Xswiftc -use-ld=lld \
  -Xlinker --symbol-ordering-file=$(CURDIR)/packaging/start-order -Xlinker --no-warn-symbol-ordering

# For ued alone, which has `start.c`: no start looks for the program that would show a crash.
PROGRAM_FLAGS := -Xlinker --wrap=swift_copyAuxiliaryExecutablePath -Xlinker -L$(CURDIR)/$(ARCHIVES)/program

# The commit that `--version` shows, and its time, which is that of the files in a package. In a tree
# without a repository, as `make dist` packs it, they are in a file.
GIT := git --git-dir=.git --work-tree=.
COMMIT = $(shell $(GIT) describe --always --dirty --abbrev=9 --exclude='*' 2>/dev/null \
  || sed -n 's/^\([0-9a-f]\{9\}\).*/\1/p' packaging/commit)
COMMIT_TIME = $(shell $(GIT) log -1 --format=%ct 2>/dev/null \
  || sed -n 's/^[0-9a-f]* \([0-9]*\)$$/\1/p' packaging/commit)
VERSION = $(shell sed -n 's/.*let version = "\(.*\)"/\1/p' Sources/ued/Rendering/HelpText.swift)
BUILD_RELEASE = UED_COMMIT=$(COMMIT) $(SWIFT) build $(RELEASE_FLAGS)

# The only list of the Debian packages that a build needs, and of those that tests and `make check` need as well.
BUILD_PACKAGES := libedit-dev libmd-dev libncurses-dev libsqlite3-dev libxxhash-dev zlib1g-dev pkg-config binutils
PACKAGES := $(BUILD_PACKAGES) \
  ed diffutils patch git tmux mandoc strace zsh fish jq sqlite3 python3-pyte python3-venv locales

# More packages for `make bench`.
BENCH_PACKAGES := vim sed perl util-linux ripgrep sd

# More packages for `make bench-config`, and the version of Ansible, which comes from PyPI.
CONFIG_PACKAGES := apt dpkg sed crudini augeas-tools
ANSIBLE := 12.3.0
CONFIG_JOBS := .build/config-jobs/ansible-$(ANSIBLE)

# More packages for `make deb`, and for `make check-package`.
DEB_PACKAGES := dpkg-dev lintian
BARE_PACKAGES := debootstrap
PACKAGE := $(CURDIR)/.build/deb

# The program contains parts of these; their licenses go into the package.
LINKED := libbsd-dev libc6-dev libedit-dev libmd-dev libncurses-dev libsqlite3-dev libxxhash-dev zlib1g-dev

MANUAL = $(PREFIX)/share/man/man1/ued.1
ANSWER_MANUAL = $(PREFIX)/share/man/man5/ued-json.5
ANSWER_SCHEMA = $(PREFIX)/share/ued/answer.schema.json
AGENT_PAGE = $(PREFIX)/share/ued/agents.md
BASH_COMPLETION = $(PREFIX)/share/bash-completion/completions/ued
ZSH_COMPLETION = $(PREFIX)/share/zsh/site-functions/_ued
FISH_COMPLETION = $(PREFIX)/share/fish/vendor_completions.d/ued.fish

##@ Using ued

.PHONY: run
run: build ## edit a copy of the license with a short script and show the changes
	@folder=$$(mktemp -d); trap 'rm -rf "$$folder"' EXIT; \
	cp LICENSE "$$folder/text"; \
	printf '%s\n' \
	  '# Commands of ed; a line that starts with # is a comment.' \
	  '# In every line, each "software" gets a capital.' \
	  ',s/software/Software/gI' \
	  '# The title goes into capitals, and gets a line below.' \
	  '1s/.*/THE LICENSE OF UED/' \
	  'a' '==================' '.' \
	  '# Number the lines that speak of copies, on standard output.' \
	  'g/cop/n' \
	  '# Save, and say how many bytes that was.' \
	  'w' > "$$folder/script"; \
	echo "The script:"; sed 's/^/    /' "$$folder/script"; \
	echo; echo "What 'ued text' prints:"; \
	(cd "$$folder" && cat script | "$(CURDIR)/$(RELEASE)" text) | sed 's/^/    /'; \
	echo; echo "What it has changed:"; \
	(diff -u LICENSE "$$folder/text" || true) | tail -n +3 | sed 's/^/    /'

.PHONY: install
install: $(RELEASE) ## install ued, its manuals and completions in DESTDIR, under PREFIX (/usr/local)
	install -D -m 755 $(RELEASE) "$(DESTDIR)$(PREFIX)/bin/ued"
	strip "$(DESTDIR)$(PREFIX)/bin/ued"
	@$(call clear_hashes,$(DESTDIR)$(PREFIX)/bin/ued)
	install -D -m 644 man/ued.1 "$(DESTDIR)$(MANUAL)"
	install -D -m 644 man/ued-json.5 "$(DESTDIR)$(ANSWER_MANUAL)"
	install -D -m 644 share/ued/answer.schema.json "$(DESTDIR)$(ANSWER_SCHEMA)"
	install -D -m 644 share/ued/agents.md "$(DESTDIR)$(AGENT_PAGE)"
	install -D -m 644 completions/ued.bash "$(DESTDIR)$(BASH_COMPLETION)"
	install -D -m 644 completions/_ued "$(DESTDIR)$(ZSH_COMPLETION)"
	install -D -m 644 completions/ued.fish "$(DESTDIR)$(FISH_COMPLETION)"

# Without the section, the program would lose the note of what is read-only once it is loaded (RELRO).
define clear_hashes
	hashes=$$(mktemp); trap 'rm -f "$$hashes"' EXIT; \
	objcopy --dump-section .swift_modhash="$$hashes" "$(1)"; \
	size=$$(stat -c %s "$$hashes"); head -c "$$size" /dev/zero >"$$hashes"; \
	objcopy --update-section .swift_modhash="$$hashes" "$(1)"
endef

.PHONY: uninstall
uninstall: ## remove the installed files
	cd / && rm -f $(foreach path,$(PREFIX)/bin/ued $(MANUAL) $(ANSWER_MANUAL) $(ANSWER_SCHEMA) \
	  $(AGENT_PAGE) $(BASH_COMPLETION) $(ZSH_COMPLETION) $(FISH_COMPLETION),"$(DESTDIR)$(path)")

.PHONY: deb
deb: deps-deb build ## build a Debian package and check it with lintian
	@rm -rf $(PACKAGE) .build/ued_*.deb; mkdir -p $(PACKAGE)/DEBIAN
	@$(MAKE) install DESTDIR=$(PACKAGE) PREFIX=/usr \
	  ZSH_COMPLETION=/usr/share/zsh/vendor-completions/_ued >/dev/null
	@gzip -9n $(PACKAGE)/usr/share/man/man1/ued.1 $(PACKAGE)/usr/share/man/man5/ued-json.5
	@install -D -m 644 debian/copyright $(PACKAGE)/usr/share/doc/ued/copyright
	@for package in $(LINKED); do \
	  install -D -m 644 /usr/share/doc/$$package/copyright $(PACKAGE)/usr/share/doc/ued/libraries/$${package%-dev}; \
	done
	@gzip -9n <debian/changelog >$(PACKAGE)/usr/share/doc/ued/changelog.gz
	@install -D -m 644 debian/lintian-overrides $(PACKAGE)/usr/share/lintian/overrides/ued
	@install -D -m 644 debian/README.Debian $(PACKAGE)/usr/share/doc/ued/README.Debian
	@install -m 755 debian/postinst debian/prerm $(PACKAGE)/DEBIAN
	@cd $(PACKAGE) && find usr -type f | LC_ALL=C sort | xargs md5sum >DEBIAN/md5sums
	@dpkg-shlibdeps -T.build/substvars -e$(PACKAGE)/usr/bin/ued
	@dpkg-gencontrol -pued -P$(PACKAGE) -T.build/substvars -f.build/files
	@if grep '^Depends:.*<<' $(PACKAGE)/DEBIAN/control; then echo 'a later Debian would remove the package' >&2; exit 1; fi
	@chmod -R u=rwX,go=rX $(PACKAGE)
	@SOURCE_DATE_EPOCH=$(or $(COMMIT_TIME),$$(date +%s)) dpkg-deb --root-owner-group --build $(PACKAGE) .build >/dev/null
	@lintian --allow-root --fail-on error .build/ued_*.deb
	@ls .build/ued_*.deb

.PHONY: check-package
check-package: deb ## install the Debian package in a bare Debian 12 in .build, use it, and remove it without a trace
	@$(call install_missing,$(BARE_PACKAGES))
	@packaging/check-package.sh .build/ued_*.deb

.PHONY: dist
dist: ## pack the sources of the last commit, to be built without a repository
	@mkdir -p .build; rm -f .build/ued-*.tar.gz
	@$(GIT) -c tar.umask=0022 archive --prefix=ued-$(VERSION)/ $(or $(REVISION),HEAD) \
	  | gzip -9n >.build/ued-$(VERSION).tar.gz
	@ls .build/ued-$(VERSION).tar.gz

.PHONY: reproducible
reproducible: deps-deb ## build all of this twice, under other circumstances, and compare the bytes
	@packaging/reproducible.sh

##@ Working on ued

.PHONY: deps
deps: ## install missing Debian packages
	@$(call install_missing,$(PACKAGES))

.PHONY: deps-build
deps-build:
	@$(call install_missing,$(BUILD_PACKAGES))

.PHONY: deps-deb
deps-deb: deps-build
	@$(call install_missing,$(DEB_PACKAGES))

define install_missing
	missing=(); \
	for package in $(1); do \
	  state=$$(dpkg-query -W -f='$${db:Status-Status}' "$$package" 2>/dev/null || true); \
	  [[ $$state == installed ]] || missing+=("$$package"); \
	done; \
	if (( $${#missing[@]} )); then \
	  as_root=(env DEBIAN_FRONTEND=noninteractive); (( EUID )) && as_root=(sudo "$${as_root[@]}"); \
	  echo "installing $${missing[*]}"; \
	  install=("$${as_root[@]}" apt-get -qq install -y --no-install-recommends "$${missing[@]}"); \
	  "$${install[@]}" >/dev/null 2>&1 \
	    || { "$${as_root[@]}" apt-get -qq update; "$${install[@]}" >/dev/null; }; \
	fi
endef

.PHONY: build
build: deps-build archives ## build the release, which needs no Swift to run
	@$(BUILD_RELEASE) $(PROGRAM_FLAGS) --product ued

# One shared library less is a twelfth of a start. The static one of the system is taken where all of it can be linked
# with what `start.c` gives it.
.PHONY: archives
archives:
	@mkdir -p $(ARCHIVES)/program; rm -f $(ARCHIVES)/program/libm.a; \
	math=(/usr/lib/"$$(uname -m)"-linux-gnu/libm-*.a); \
	if [[ -e $${math[-1]} ]] && echo 'int main(void) { return 0; }' \
	    | clang -no-pie -o $(ARCHIVES)/trial -x c - Sources/UedLinux/start.c -x none \
	      $(addprefix -Wl$(comma)-u$(comma),$(TRIED_FUNCTIONS)) "$${math[-1]}" >/dev/null 2>&1 && $(ARCHIVES)/trial; then \
	  ln -sf "$${math[-1]}" $(ARCHIVES)/program/libm.a; \
	fi
	@found=(/usr/lib/gcc/*/*/libstdc++.a); \
	[[ -e $${found[-1]} ]] || { echo 'no libstdc++.a in /usr/lib/gcc; install the one of GCC' >&2; exit 1; }; \
	ln -sf "$${found[-1]}" $(ARCHIVES)/

# Lets `make install` run as root without Swift if the release has been built.
$(RELEASE):
	@$(MAKE) build

# The program that is installed is tested, with tests that are not optimized. A part runs on the program beside the tests,
# which is built in seconds.
EVENTS := .build/events
RUN_TESTS = $(CURDIR)/.build/debug/uedPackageTests.xctest --testing-library swift-testing --event-stream-version 0 \
  --event-stream-output-path

# Most tests wait for programs: two processes have half of them each. Some suites move the state folder of their whole
# process, where other tests have their key: they run one by one, in a process of their own.
MOVES_STATE := ^uedTests.(EnteredLines|HistoryTrouble|PreparedSave)Tests
RUN_HALVES = export UED=$(CURDIR)/$(RELEASE) UED_TESTS=$(CURDIR)/.build/started; \
  $(RUN_TESTS) $(EVENTS)/1 --filter '^TextBufferTests|^uedTests.[A-H]' --skip '$(MOVES_STATE)' & first=$$!; \
  $(RUN_TESTS) $(EVENTS)/2 --filter '^uedTests.[I-Z]' --skip '$(MOVES_STATE)' \
    && $(RUN_TESTS) $(EVENTS)/3 --filter '$(MOVES_STATE)' --no-parallel && wait $$first || { wait; false; }

.PHONY: test
test: deps $(if $(FILTER),,build) ## run all tests, in three minutes, or those that FILTER names
	@$(SWIFT) build --build-tests
	@rm -rf .build/started $(EVENTS); mkdir -p $(EVENTS)
	@{ $(if $(FILTER),$(RUN_TESTS) $(EVENTS)/1 --filter '$(FILTER)',$(RUN_HALVES)); } >.build/tests.log 2>&1 \
	  || { Tests/failures.sh $(EVENTS)/*; false; }
	@grep -a 'Test run with' .build/tests.log
	@$(if $(FILTER),,$(MAKE) examples)

.PHONY: examples
examples: deps
	@touch Examples/Package.swift # or files removed from the library are not noticed
	@$(SWIFT) test --package-path Examples --disable-xctest

# The client has the reference implementation of the protocol. The server needs nothing but Python.
MCP_CLIENT := 2.3.0
MCP := .build/mcp-$(MCP_CLIENT)

.PHONY: mcp
mcp: build $(MCP)/installed ## test the MCP server of Examples/mcp with a client from PyPI
	@UED=$(CURDIR)/$(RELEASE) $(MCP)/bin/python -B Examples/mcp/test.py
	@$(MCP)/bin/python -B Examples/mcp/test.py --without-ued

$(MCP)/installed: | deps
	@rm -rf $(MCP)
	@{ /usr/bin/python3 -m venv $(MCP) && $(MCP)/bin/pip install --quiet mcp==$(MCP_CLIENT); } \
	  || { echo "Examples/mcp is not tested: mcp $(MCP_CLIENT) can't be installed from PyPI" >&2; exit 1; }
	@touch $@

.PHONY: null-programs
null-programs: test # that tests fail with programs in ued's place that do nothing
	@SWIFT=$(SWIFT) Tests/null-programs.sh .build/started

# What the simulator preloads. The package manager would link Swift's library to it, which doubles the time of a start.
BUILD_DISK = clang -O2 -shared -fPIC -ITests/CDisk/include Tests/CDisk/*.c -o .build/release/libUedDisk.so

# Each process counts in a file that it maps, so that one that is killed has counted, too.
COVERAGE := .build/coverage
TOOLCHAIN = $(dir $(shell readlink -f "$$(command -v $(SWIFT))"))

.PHONY: coverage
coverage: deps ## what the tests run of the sources: a table of folders, and each region that is never run
	@$(SWIFT) build --build-tests --enable-code-coverage --scratch-path $(COVERAGE) \
	  -Xswiftc -Xllvm -Xswiftc -runtime-counter-relocation -Xcc -mllvm -Xcc -runtime-counter-relocation
	@rm -rf $(COVERAGE)/counts; mkdir -m 1777 $(COVERAGE)/counts
	@EVERY_STEP=1 LLVM_PROFILE_FILE=$(CURDIR)/$(COVERAGE)/counts/%c%m.profraw \
	  $(COVERAGE)/debug/uedPackageTests.xctest --testing-library swift-testing >$(COVERAGE)/tests.log 2>&1 \
	  || { grep -a '✘' $(COVERAGE)/tests.log | cut -c 1-200; echo 'some tests failed: what they would have run is missing'; }
	@$(TOOLCHAIN)llvm-profdata merge $(COVERAGE)/counts/*.profraw -o $(COVERAGE)/merged
	@Tests/coverage.py --llvm-cov $(TOOLCHAIN)llvm-cov --profile $(COVERAGE)/merged $(COVERAGE)/debug/ued \
	  $(COVERAGE)/debug/uedPackageTests.xctest

.PHONY: crash-states
crash-states: deps build ## open all that a power cut during a save could leave: PART= of a scenario's name
	@$(BUILD_DISK)
	@$(BUILD_RELEASE) --product ued-simulate
	.build/release/ued-simulate --crash-states "$(PART)"

.PHONY: memory
memory: deps build ## load, edit, save and store texts under every limit of memory: FROM=28 TO=600 STEP=1, in MB
	Tests/memory.sh $(CURDIR)/$(RELEASE) $(or $(FROM),28) $(or $(TO),600) $(or $(STEP),1)

.PHONY: sanitize
sanitize: deps ## tests and hostile input with sanitizers of addresses, threads and C: SECONDS=60 SEED=1
	@SECONDS_EACH=$(SECONDS) SEED=$(SEED) Tests/sanitize.sh

# The library and its tests in a package of their own, which is built in a minute. Exit tests trap on purpose:
# the sanitizer leaves those signals alone.
LIBRARY := .build/library
SANITIZER ?= address
SANITIZED = FIRST_SEED=1 SEEDS=$(SESSIONS) $(SWIFT) test --package-path $(LIBRARY) \
  --scratch-path $(LIBRARY)-$(SANITIZER) --sanitize=$(SANITIZER) --disable-xctest --no-parallel
SESSIONS ?= 1000

.PHONY: sanitize-library
sanitize-library: deps ## the library's tests alone: SANITIZER=address or thread, SESSIONS=1000
	@mkdir -p $(LIBRARY)/Sources $(LIBRARY)/Tests
	@ln -sfn $(CURDIR)/Sources/TextBuffer $(LIBRARY)/Sources/TextBuffer
	@ln -sfn $(CURDIR)/Sources/TextBufferModels $(LIBRARY)/Sources/TextBufferModels
	@ln -sfn $(CURDIR)/Sources/TextLines $(LIBRARY)/Sources/TextLines
	@ln -sfn $(CURDIR)/Sources/TextBufferTesting $(LIBRARY)/Sources/TextBufferTesting
	@ln -sfn $(CURDIR)/Tests/TextBufferTests $(LIBRARY)/Tests/TextBufferTests
	@cp Tests/LibraryPackage.swift $(LIBRARY)/Package.swift
	@ASAN_OPTIONS=handle_sigill=0:handle_sigtrap=0:handle_segv=0:detect_leaks=0 $(SANITIZED) \
	  2>&1 | grep --line-buffered -v '^◇'
	@[[ $(SANITIZER) != address ]] || ASAN_OPTIONS=detect_leaks=1 $(SANITIZED) --skip-build \
	  --filter LibrarySessionTests 2>&1 | grep --line-buffered -v '^◇'

.PHONY: docs
docs: docs-TextBuffer docs-TextBufferModels docs-TextLines ## build the documentation of the libraries in .build/docs

docs-%:
	@$(SWIFT) build --target $* --scratch-path .build/docs.build \
	  -Xswiftc -emit-symbol-graph -Xswiftc -emit-symbol-graph-dir -Xswiftc .build/docs.build/symbols
	@rm -rf .build/docs.build/$*; mkdir -p .build/docs.build/$* .build/docs
	@cp .build/docs.build/symbols/$*.symbols.json .build/docs.build/symbols/$*@*.symbols.json .build/docs.build/$*
	@docc convert Sources/$*/$*.docc --warnings-as-errors \
	  --additional-symbol-graph-dir .build/docs.build/$* --output-path .build/docs/$* \
	  --transform-for-static-hosting
	@echo "serve .build/docs/$* with any web server, and open /documentation/$$(tr A-Z a-z <<<$*)"

.PHONY: api
api: deps ## write the lists of the libraries' public API, after a change of it
	@$(SWIFT) build --build-tests
	@cd Tests/TextBufferTests/Fixtures; modules=$(CURDIR)/.build/debug/Modules; \
	./public-api.sh $$modules TextBuffer >public-api.txt; \
	./public-api.sh $$modules TextBufferModels >public-api-models.txt; \
	./public-api.sh $$modules TextLines >public-api-lines.txt

.PHONY: completions
completions: build ## write the options of --help into the completions of the shells
	@$(RELEASE) --help | /usr/bin/python3 completions/generate.py

.PHONY: lint
lint: deps ## check the format of the sources and the manual, and the links of the pages
	$(SWIFT) format lint --strict -r Package.swift Sources Tests Benchmarks Examples
	mandoc -T lint -W style man/ued.1 man/ued-json.5
	packaging/links.sh

.PHONY: platforms
platforms: deps ## compile the library for the oldest macOS of Package.swift, as far as that goes without a Mac
	@Tests/platforms.sh

.PHONY: check
check: lint build docs null-programs benchmarks platforms mcp ## what a change must pass, in ten minutes: lint, the release, the documentation, the tests, and that no test passes without ued

.PHONY: fuzz
fuzz: deps build ## compare ued with GNU ed on generated scripts: SECONDS=60 SEED=1
	@$(BUILD_RELEASE) --product ued-fuzz
	.build/release/ued-fuzz --seconds $(SECONDS) --seed $(SEED)

.PHONY: simulate
simulate: deps build ## simulate sessions with faults, kills, power cuts and others who write: SECONDS=60 SEED=1
	@$(BUILD_DISK)
	@$(BUILD_RELEASE) --product ued-simulate
	.build/release/ued-simulate --seconds $(SECONDS) --seed $(SEED)

# The toolchain has the parser; it is no dependency of the package.
PARSER = $(TOOLCHAIN)../lib/swift/host
COUNT ?= 100
FILES ?= .

.PHONY: mutants
mutants: deps ## change places of the sources, and list the changes that no test notices: COUNT=100 SEED=1 FILES= AGAIN=
	@mkdir -p .build/mutants
	@swiftc -O -swift-version 5 -package-name ued -I $(PARSER) -L $(PARSER) -Xlinker -rpath -Xlinker $(PARSER) \
	  Tests/Mutants/*.swift Sources/TextBufferTesting/SeededGenerator.swift -o .build/mutants/mutants
	@.build/mutants/mutants $(COUNT) $(SEED) '$(FILES)' '$(AGAIN)' \
	  | tee .build/mutants/report-$(if $(AGAIN),again,$(SEED)).txt

.PHONY: fuzz-undo
fuzz-undo: deps ## take back groups of random histories, and check the laws: SECONDS=60 SEED=1
	@$(SWIFT) build --build-tests
	@end=$$(($$(date +%s) + $(SECONDS))); seed=$(SEED); \
	while test "$$(date +%s)" -lt $$end; do \
	  FIRST_SEED=$$seed SEEDS=$$((seed + 499)) $(SWIFT) test --skip-build --disable-xctest \
	    --filter 'UndoLawTests|The weave' >.build/tests.log 2>&1 || { grep -aA9 '✘' .build/tests.log; exit 1; }; \
	  seed=$$((seed + 500)); echo "histories up to seed $$((seed - 1)) keep the laws"; \
	done

.PHONY: benchmarks
benchmarks: # a package of their own, like a client of the library
	@touch Benchmarks/Package.swift
	@$(SWIFT) build --package-path Benchmarks -c release

.PHONY: start-order
start-order: deps build ## list anew what a start runs, for the linker; needs valgrind
	@packaging/start-order.sh $(CURDIR)/$(RELEASE) >.build/start-order
	@cp .build/start-order packaging/start-order

# What people install is measured. The file of the linker is three times as large, and not in one piece in the cache.
INSTALLED := $(CURDIR)/.build/installed

.PHONY: bench
bench: build deps-bench benchmarks ## compare ued with ed, vim, sed, sd, rg and others: a table, in about ten minutes
	@$(MAKE) install DESTDIR=$(INSTALLED) >/dev/null
	@UED=$(INSTALLED)$(PREFIX)/bin/ued Benchmarks/.build/release/Benchmarks processes peers typing growth library huge

.PHONY: bench-quick
bench-quick: build deps-bench benchmarks ## compare with smaller files, in under two minutes
	@Benchmarks/.build/release/Benchmarks quick

.PHONY: bench-safety
bench-safety: build deps-bench ## compare what becomes of files when something goes wrong
	@Benchmarks/safety.sh $(RELEASE)

.PHONY: bench-files
bench-files: build deps-bench ## edit 10,000 small files in place, beside sed, sd and perl
	@Benchmarks/many-files.sh $(RELEASE)

.PHONY: bench-undo
bench-undo: deps build ## take back and pick every change of this repository's files, beside git
	@Benchmarks/real-histories.py --ued $(RELEASE)

.PHONY: bench-agents
bench-agents: deps build ## make real edits with the errors of language models, beside other edit engines from PyPI
	@Benchmarks/agent-edits.py --ued $(RELEASE)

.PHONY: bench-history
bench-history: build deps-bench ## open, change and leave files with 10 and 100,000 groups of history
	@Benchmarks/long-history.sh $(RELEASE)

.PHONY: bench-config
bench-config: build $(CONFIG_JOBS)/installed ## change configuration files of Debian packages, beside sed, crudini, augtool, and Ansible from PyPI
	@$(call install_missing,$(CONFIG_PACKAGES))
	@Benchmarks/config-jobs.py --ued $(RELEASE) --ansible $(CONFIG_JOBS)

# The module `ini_file` is in the package with all collections, not in ansible-core.
$(CONFIG_JOBS)/installed: | deps
	@rm -rf $(CONFIG_JOBS)
	@/usr/bin/python3 -m venv $(CONFIG_JOBS)
	@echo "installing ansible $(ANSIBLE) from PyPI in $(CONFIG_JOBS)"
	@$(CONFIG_JOBS)/bin/pip install --quiet ansible==$(ANSIBLE)
	@touch $@

.PHONY: deps-bench
deps-bench: deps
	@$(call install_missing,$(BENCH_PACKAGES))

.PHONY: demo
demo: deps build ## record a session at a terminal, and its picture in README
	@/usr/bin/python3 Examples/demo/record.py $(RELEASE) Examples/demo

.PHONY: clean
clean: ## remove what was built
	rm -rf .build

.PHONY: help
help: ## list the targets
	@awk -F ':.*## ' \
	  '/^##@/ { print "\n" substr($$0, 5) } \
	  /^[a-z-]+:.*## / { printf "  make %-16s %s\n", $$1, $$2 }' $(MAKEFILE_LIST)
