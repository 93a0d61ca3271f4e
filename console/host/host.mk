# Builds a devkitPro project for this machine, with the GPU of pica200 (docs/HOST.md).
#
#     make -f PICA200/console/host/host.mk CTRULIB=.../libctru CITRO3D=.../citro3d CITRO2D=.../citro2d
#
# in the project's folder makes build-host/PROGRAM. The variables of the project's own Makefile are read,
# with their conditions, and of them TARGET, SOURCES, INCLUDES, DATA, GRAPHICS, GFXBUILD, ROMFS, CFLAGS and
# CXXFLAGS used; each can be given on the command line too. The three folders hold the libraries'
# sources, with include/ and source/ in them.

HOST := $(patsubst %/,%,$(dir $(realpath $(lastword $(MAKEFILE_LIST)))))
PICA200 ?= $(firstword $(wildcard $(HOST)/../../bin/pica200) pica200)
BITS ?= 64
LIBPICA200 ?= $(HOST)/../../lib$(filter 32,$(BITS))
OUT ?= build-host$(filter 32,$(BITS))
LIBS_OUT ?= $(OUT)/libs

.DEFAULT_GOAL := all
.SUFFIXES:
MAKEFLAGS += --no-builtin-rules

INPUT := $(wildcard Makefile)
$(shell mkdir -p $(OUT) $(LIBS_OUT))
$(shell sed -e ':a' -e 's/\r$$//' -e '/\\$$/N' -e 's/\\\n//' -e 'ta' $(INPUT) /dev/null | \
  grep -E '^ *([A-Za-z_][A-Za-z0-9_]*[[:space:]]*[:+?]?=|(ifn?eq|ifn?def|else|endif)([[:space:]]|$$))' | \
  grep -vE '^ *(CC|CXX|AR|SHELL|VPATH|MAKEFLAGS|HOST|OUT|LIBS_OUT|PICA200|LIBPICA200|INPUT)[[:space:]]*[:+?]?=' > $(OUT)/project.mk)
include $(OUT)/project.mk

# Pointers and longs of 32 bits, as the console's, with a library that was made so.
ifeq ($(BITS),32)
override CC += -m32 -msse2 -mfpmath=sse
override CXX += -m32 -msse2 -mfpmath=sse
endif

ifeq ($(wildcard $(CTRULIB)/include/3ds.h),)
$(error CTRULIB=FOLDER is needed, the folder of libctru that holds include/3ds.h and source/)
endif
ifeq ($(wildcard $(LIBPICA200)/pica200.h),)
$(error no library in $(LIBPICA200): "make lib" makes it, LIBPICA200=FOLDER says where it is)
endif
TARGET := $(notdir $(strip $(TARGET)))
PROGRAM := $(OUT)/$(TARGET)

# The console's flags (-m...) are not this machine's. SANITIZE=address,undefined tries more.
own = $(filter-out -m%,$(1))
# Only the project's own files have -g, so that messages name its lines.
PIE := $(if $(filter 32,$(BITS)),,no-)
COMMON := -f$(PIE)pie -D__3DS__ -D_3DS $(if $(SANITIZE),-fsanitize=$(SANITIZE) -fno-omit-frame-pointer)
HEADERS := $(HOST)/src/include $(CTRULIB)/include $(addsuffix /include,$(CITRO3D) $(CITRO2D))
INCLUDE_FLAGS := -include $(HOST)/src/include/newlib.h $(addprefix -I,$(INCLUDES) $(OUT)) $(addprefix -isystem ,$(HEADERS))
# Pointers to linear memory and VRAM fit 32 bits, which is why casts to u32 are no mistakes here.
CASTS := -Wno-pointer-to-int-cast -Wno-int-to-pointer-cast
PROJECT_CFLAGS := $(call own,$(CFLAGS)) -g $(COMMON) $(INCLUDE_FLAGS) $(CASTS)
PROJECT_CXXFLAGS := $(call own,$(CXXFLAGS)) -g $(COMMON) $(INCLUDE_FLAGS) -fpermissive -w
LIB_FLAGS := -O2 $(COMMON) -w -include $(HOST)/src/include/newlib.h $(addprefix -I,$(HEADERS)) -I$(LIBS_OUT) -I$(CTRULIB)/source
HOST_FLAGS := -std=gnu11 -O2 -Wall -Wextra $(COMMON) -isystem $(HOST)/src/include -isystem $(CTRULIB)/include -I$(LIBPICA200)

WRAPS := main malloc calloc realloc free memalign fopen fopen64 freopen open open64 opendir readdir closedir rewinddir stat lstat access mkdir \
  rmdir remove unlink rename truncate chdir getcwd time clock gettimeofday clock_gettime usleep sleep nanosleep fontFixPointers \
  fontEnsureMapped linearAlloc linearMemAlign linearRealloc
comma := ,
LINK_FLAGS = -$(PIE)pie -rdynamic -static-libstdc++ $(addprefix -Wl$(comma)--wrap=,$(WRAPS)) \
  -L$(LIBPICA200) -Wl,-rpath,$(realpath $(LIBPICA200)) -lpica200 -lm -lpthread -ldl
LINK = $(CXX) $(COMMON) -o $@ $(1) $(LINK_FLAGS)

# --- libraries --------------------------------------------------------------------

# The parts of libctru that do not ask the system for anything; host/*.c is the rest.
CTRU_PARTS := gfx.c console.c font.c gpu/gpu.c gpu/gx.c gpu/gxqueue.c gpu/shaderProgram.c gpu/shbin.c \
  allocator/linear.cpp allocator/vram.cpp allocator/mem_pool.cpp \
  $(patsubst $(CTRULIB)/source/%,%,$(wildcard $(CTRULIB)/source/util/*/*.c $(CTRULIB)/source/applets/*.c))
LIB_SOURCES := $(wildcard $(addprefix $(CTRULIB)/source/,$(CTRU_PARTS))) \
  $(foreach l,$(CITRO3D) $(CITRO2D),$(wildcard $(l)/source/*.c $(l)/source/*/*.c $(l)/source/*.cpp))
HOST_SOURCES := $(wildcard $(HOST)/src/*.c)
lib_object = $(LIBS_OUT)/$(subst /,_,$(1)).o
LIB_OBJECTS := $(foreach s,$(LIB_SOURCES),$(call lib_object,$(s)))
HOST_OBJECTS := $(foreach s,$(HOST_SOURCES),$(call lib_object,$(s)))

define compile_lib
$(call lib_object,$(1)): $(1) $(LIBS_OUT)/ready
	$(if $(filter %.cpp,$(1)),$(CXX) -std=gnu++17 -fno-rtti -fno-exceptions -fpermissive,$(CC)) $(LIB_FLAGS) -c $$< -o $$@
endef
$(foreach s,$(LIB_SOURCES),$(eval $(call compile_lib,$(s))))
define compile_host
$(call lib_object,$(1)): $(1) $(HOST)/src/host.h
	$(CC) $(HOST_FLAGS) -c $$< -o $$@
endef
$(foreach s,$(HOST_SOURCES),$(eval $(call compile_host,$(s))))

# What the libraries embed: the console's font, citro2d's shader.
$(LIBS_OUT)/ready: $(wildcard $(CTRULIB)/data/default_font.bin) $(wildcard $(CITRO2D)/source/*.pica)
	for f in $(filter %.bin,$^); do $(HOST)/embed.sh $$f $(LIBS_OUT) || exit 1; done
	for f in $(filter %.pica,$^); do \
	  n=$(LIBS_OUT)/$$(basename $$f .v.pica).shbin; $(PICA200) asm $$f -o $$n && $(HOST)/embed.sh $$n $(LIBS_OUT) || exit 1; done
	touch $@
EMBEDDED := $(patsubst %,$(LIBS_OUT)/%.o,$(if $(wildcard $(CTRULIB)/data/default_font.bin),default_font_bin) \
  $(patsubst %.v.pica,%_shbin,$(notdir $(wildcard $(CITRO2D)/source/*.v.pica))))
$(EMBEDDED): %.o: $(LIBS_OUT)/ready
	$(CC) -c $*.s -o $@

$(LIBS_OUT)/libhost.a: $(LIB_OBJECTS) $(EMBEDDED)
	rm -f $@ && $(AR) rcs $@ $^

# --- project ----------------------------------------------------------------------

find = $(foreach d,$(1),$(wildcard $(d)/$(2)))
CODE := $(call find,$(SOURCES),*.c) $(call find,$(SOURCES),*.cpp)
SHADERS := $(call find,$(SOURCES),*.shlist) $(filter-out $(patsubst %.shlist,%.v.pica,$(call find,$(SOURCES),*.shlist)),$(call find,$(SOURCES),*.v.pica))
TEXTURES := $(call find,$(GRAPHICS),*.t3s)
FILES := $(call find,$(DATA),*.*)
shader_name = $(patsubst %.v.pica,%,$(patsubst %.shlist,%,$(notdir $(1))))
symbol = $(subst .,_,$(subst -,_,$(notdir $(1))))
object = $(OUT)/$(subst /,_,$(1)).o
CODE_OBJECTS := $(foreach s,$(CODE),$(call object,$(s)))
T3X_FOLDER := $(if $(filter-out $(BUILD),$(GFXBUILD)),$(GFXBUILD),$(OUT))
T3X := $(patsubst %.t3s,$(T3X_FOLDER)/%.t3x,$(notdir $(TEXTURES)))
T3H := $(patsubst %.t3s,$(OUT)/%.h,$(notdir $(TEXTURES)))
FONTS := $(patsubst %.ttf,$(T3X_FOLDER)/%.bcfnt,$(notdir $(call find,$(GRAPHICS),*.ttf)))
EMBED := $(foreach s,$(SHADERS),$(OUT)/$(call shader_name,$(s)).shbin) $(FILES) $(if $(filter $(T3X_FOLDER),$(OUT)),$(T3X) $(FONTS))
DATA_OBJECTS := $(foreach f,$(EMBED),$(OUT)/$(call symbol,$(f)).o)

define shader
$(OUT)/$(call shader_name,$(1)).shbin: $(1) $(wildcard $(1:.v.pica=.g.pica))
	$(PICA200) asm $$^ -o $$@
endef
$(foreach s,$(SHADERS),$(eval $(call shader,$(s))))
TEX3DS ?= $(shell command -v tex3ds)
tex = $(if $(TEX3DS),cd $(dir $(1)) && $(TEX3DS) -i $(notdir $(1)) -H $(abspath $(3)) -o $(abspath $(2)),$(PICA200) tex $(1) -o $(2) --header $(3))
define texture
$(T3X_FOLDER)/$(notdir $(1:.t3s=.t3x)) $(OUT)/$(notdir $(1:.t3s=.h)) &: $(1) $(filter-out $(1),$(wildcard $(dir $(1))*))
	mkdir -p $(T3X_FOLDER)
	$(call tex,$(1),$(T3X_FOLDER)/$(notdir $(1:.t3s=.t3x)),$(OUT)/$(notdir $(1:.t3s=.h)))
endef
$(foreach t,$(TEXTURES),$(eval $(call texture,$(t))))
define font
$(T3X_FOLDER)/$(notdir $(1:.ttf=.bcfnt)): $(1)
	mkdir -p $(T3X_FOLDER)
	mkbcfnt -o $$@ $$<
endef
$(foreach f,$(call find,$(GRAPHICS),*.ttf),$(eval $(call font,$(f))))
define embed
$(OUT)/$(call symbol,$(1)).o: $(1)
	$(HOST)/embed.sh $(1) $(OUT)
	$(CC) -c $(OUT)/$(call symbol,$(1)).s -o $$@
endef
$(foreach f,$(EMBED),$(eval $(call embed,$(f))))
define compile
$(call object,$(1)): $(1) $(filter-out $(OUT)/romfs.o,$(DATA_OBJECTS)) $(T3H)
	$(if $(filter %.cpp,$(1)),$(CXX) $(PROJECT_CXXFLAGS),$(CC) $(PROJECT_CFLAGS)) -MMD -c $$< -o $$@
endef
$(foreach s,$(CODE),$(eval $(call compile,$(s))))
-include $(CODE_OBJECTS:.o=.d)

# Where romfs:/ is, if the project has one.
$(shell echo 'const char host_romfs[] = "$(if $(strip $(ROMFS)),$(abspath $(ROMFS)))";' > $(OUT)/romfs.new; \
  cmp -s $(OUT)/romfs.new $(OUT)/romfs.c || cp $(OUT)/romfs.new $(OUT)/romfs.c)
$(OUT)/romfs.o: $(OUT)/romfs.c
	$(CC) $(COMMON) -c $< -o $@
DATA_OBJECTS += $(OUT)/romfs.o

empty :=
$(PROGRAM): $(CODE_OBJECTS) $(DATA_OBJECTS) $(HOST_OBJECTS) $(LIBS_OUT)/libhost.a $(T3X) $(FONTS)
	CC="$(CC)" FUNCTIONS="$(FUNCTIONS)" $(HOST)/link.sh $(OUT) $(subst $(empty) $(empty),:,$(filter-out $(HOST)/src/include,$(HEADERS))) \
	  $(call LINK,$(CODE_OBJECTS) $(DATA_OBJECTS) $(HOST_OBJECTS) $(LIBS_OUT)/libhost.a)

# For host.cmake: all but the project's own, and how to link with it.
libs: $(LIBS_OUT)/liball.a
$(LIBS_OUT)/liball.a: $(HOST_OBJECTS) $(LIBS_OUT)/libhost.a
	cp $(LIBS_OUT)/libhost.a $@ && $(AR) rs $@ $(HOST_OBJECTS)
flags:
	@echo $(LINK_FLAGS)

.PHONY: all clean libs flags
all: $(PROGRAM)
clean:
	rm -rf $(OUT)
