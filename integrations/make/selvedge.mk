# Verification in makefiles. Set what to verify, then include this file:
#
#     SELVEDGE_CHECKS = mailbox
#     mailbox.selvedge-files = harness.c mailbox.c
#     mailbox.selvedge-flags = -Iinclude --timeout 60
#     include path/to/selvedge.mk
#
# `make selvedge` verifies all of SELVEDGE_CHECKS, `make selvedge-mailbox` one. What was verified is verified again when one
# of its files, or one of SELVEDGE_DEPENDS (headers, say), has changed. SELVEDGE is the program, SELVEDGE_FLAGS are options of all.

SELVEDGE ?= selvedge
SELVEDGE_FLAGS ?=
SELVEDGE_DIR ?= .selvedge

.PHONY: selvedge selvedge-clean $(SELVEDGE_CHECKS:%=selvedge-%)

selvedge: $(SELVEDGE_CHECKS:%=selvedge-%)

define selvedge_check
selvedge-$(1): $(SELVEDGE_DIR)/$(1).verified

$(SELVEDGE_DIR)/$(1).verified: $$($(1).selvedge-files) $$(SELVEDGE_DEPENDS)
	@mkdir -p $(SELVEDGE_DIR)
	$$(SELVEDGE) $$(SELVEDGE_FLAGS) $$($(1).selvedge-flags) $$($(1).selvedge-files)
	@touch $$@
endef

$(foreach check,$(SELVEDGE_CHECKS),$(eval $(call selvedge_check,$(check))))

selvedge-clean:
	rm -rf $(SELVEDGE_DIR)
