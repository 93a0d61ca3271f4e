# Builds a devkitPro project for this machine, with the GPU of pica200 (docs/HOST.md).
#
#     make -f PICA200/console/host/host.mk CTRULIB=.../libctru CITRO3D=.../citro3d CITRO2D=.../citro2d
#
# in the project's folder makes build-host/PROGRAM. The variables of the project's own Makefile are read, with their conditions and
# includes, and of them TARGET, SOURCES, INCLUDES, DATA, GRAPHICS, GFXBUILD, ROMFS, LIBS, CFLAGS and CXXFLAGS used; each can be given on
# the command line too. The three folders hold the libraries' sources, with include/ and source/ in them.

HOST := $(patsubst %/,%,$(dir $(realpath $(lastword $(MAKEFILE_LIST)))))
PICA200 ?= $(firstword $(wildcard $(HOST)/../../bin/pica200) pica200)
BITS ?= 64
LIBPICA200 ?= $(HOST)/../../lib$(filter 32,$(BITS))
OUT ?= build-host$(filter 32,$(BITS))

.DEFAULT_GOAL := all
.SUFFIXES:
MAKEFLAGS += --no-builtin-rules

INPUT := $(wildcard Makefile)
$(shell mkdir -p $(OUT) && awk -f $(HOST)/variables.awk $(INPUT) > $(OUT)/project.mk)
include $(OUT)/project.mk

# Pointers and longs of 32 bits, as the console's, with a library that was made so.
ifeq ($(BITS),32)
override CC += -m32 -msse2 -mfpmath=sse
override CXX += -m32 -msse2 -mfpmath=sse
export PKG_CONFIG_LIBDIR ?= /usr/lib/i386-linux-gnu/pkgconfig:/usr/share/pkgconfig
endif

override CTRULIB := $(firstword $(patsubst %/include/3ds.h,%,$(wildcard $(addsuffix /include/3ds.h,$(CTRULIB) $(CTRULIB)/libctru))))
ifeq ($(CTRULIB),)
$(error CTRULIB=FOLDER is needed, the folder of libctru that holds include/3ds.h and source/)
endif
ifeq ($(wildcard $(LIBPICA200)/pica200.h),)
$(error no library in $(LIBPICA200): "make lib" makes it, LIBPICA200=FOLDER says where it is)
endif
TARGET := $(notdir $(strip $(or $(and $(SOURCE_DIRS),$(NAME)),$(TARGET),$(NAME),$(CURDIR))))
PROGRAM := $(OUT)/$(TARGET)

# Folders of sources: those of SOURCES; buildtools has SOURCE_DIRS, with all that is below, and defines the version. SOURCES may name files too.
override BUILD_FLAGS += $(if $(SOURCE_DIRS),-O3 $(foreach v,VERSION_MAJOR VERSION_MINOR VERSION_MICRO,-D$(v)=$(or $($(v)),0)))
under = $(foreach d,$(1),$(shell find $(d) -type d))
FOLDERS := $(patsubst %/,%,$(or $(foreach s,$(SOURCES),$(if $(wildcard $(s)/.),$(s))),$(call under,$(SOURCE_DIRS))))
# Where its lists of names have others, they come from what is below.
ifneq ($(filter-out $(notdir $(wildcard $(addsuffix /*,$(FOLDERS)))),$(notdir $(CFILES) $(CPPFILES))),)
FOLDERS := $(call under,$(FOLDERS))
endif
find = $(foreach d,$(1),$(foreach p,$(2),$(wildcard $(d)/$(p))))
KINDS := %.c %.cpp %.cc %.cxx
CODE := $(filter $(KINDS),$(call find,$(FOLDERS),$(subst %,*,$(KINDS))) $(wildcard $(SOURCES)))
# The usual lists of their names, CFILES and CPPFILES, may leave some out.
listed = $(if $($(1)),$(foreach s,$(CODE),$(if $(filter $(2),$(s)),$(if $(filter $(notdir $(s)),$(notdir $($(1)))),$(s)),$(s))),$(CODE))
CODE := $(call listed,CFILES,%.c)
CODE := $(call listed,CPPFILES,%.cpp)
CODE := $(or $(CODE),$(wildcard $(filter $(KINDS),$(CFILES) $(CPPFILES) $(CXXFILES) $(C_FILES) $(CPP_FILES) $(SRCS) $(SRC) $(SOURCE))))
ifeq ($(filter libs flags clean,$(MAKECMDGOALS))$(CODE),)
$(error no .c or .cpp in SOURCES="$(strip $(SOURCES))": give their folders with SOURCES="FOLDER...")
endif
SYSTEM_LIBS := $(shell CC="$(CC)" $(HOST)/libs.sh $(LIBS) $(addprefix -l,$(LIBRARIES)))
ifeq ($(SYSTEM_LIBS),missing)
$(error LIBS needs what is said above)
endif

# Names of headers that are written in letters of another case get a header of that name.
$(shell $(HOST)/names.sh $(OUT)/names $(wildcard $(FOLDERS) $(INCLUDES) $(INCLUDE_DIRS)) $(CTRULIB)/include/3ds.h $(wildcard $(addsuffix /include,$(CITRO3D) $(CITRO2D))))

# The console's flags (-m...) are not this machine's. SANITIZE=address,undefined tries more.
own = $(filter-out -m% -Werror% -flto% -specs=%,$(1))
# Only the project's own files have -g, so that messages name its lines.
# A program of 64 bits lies above the console's memory, with its heap behind it, so that all pointers but those to stacks fit 32 bits.
PIE := $(if $(filter 32,$(BITS)),,no-)
COMMON := -f$(PIE)pie -D__3DS__ -D_3DS $(if $(SANITIZE),-fsanitize=$(SANITIZE) -fno-omit-frame-pointer)
HEADERS := $(HOST)/src/include $(CTRULIB)/include $(addsuffix /include,$(CITRO3D) $(CITRO2D))
INCLUDE_FLAGS := -include $(HOST)/src/include/newlib.h $(addprefix -I,$(INCLUDES) $(call under,$(INCLUDE_DIRS)) $(OUT) $(wildcard $(OUT)/names)) $(addprefix -isystem ,$(HEADERS))
# Casts of pointers to u32 are no mistakes here.
CASTS := -Wno-pointer-to-int-cast -Wno-int-to-pointer-cast
# COMPAT=1 has the names of older libraries.
PROJECT_FLAGS := -g $(COMMON) $(INCLUDE_FLAGS) -include $(HOST)/src/include/arm.h $(if $(COMPAT),-include $(HOST)/src/include/compat.h) $(SYSTEM_LIBS)
PROJECT_CFLAGS := -fcommon $(call own,$(CFLAGS) $(BUILD_FLAGS)) $(PROJECT_FLAGS) $(CASTS)
PROJECT_CXXFLAGS := $(call own,$(CXXFLAGS) $(BUILD_FLAGS) $(BUILD_FLAGS_CXX)) $(PROJECT_FLAGS) -fpermissive -w
LIB_FLAGS := -O2 $(COMMON) -w -include $(HOST)/src/include/newlib.h $(addprefix -I,$(HEADERS)) -I$(CTRULIB)/source
HOST_FLAGS := -std=gnu11 -O2 -Wall -Wextra $(COMMON) -isystem $(HOST)/src/include -isystem $(CTRULIB)/include -I$(LIBPICA200)

WRAPS := main malloc calloc realloc free memalign fopen fopen64 freopen open open64 openat opendir fdopendir dirfd readdir closedir rewinddir stat lstat access mkdir \
  rmdir remove unlink rename truncate chdir getcwd time clock gettimeofday clock_gettime usleep sleep nanosleep fontFixPointers \
  fontEnsureMapped linearAlloc linearMemAlign linearRealloc
comma := ,
LINK_FLAGS = -$(PIE)pie $(if $(PIE),-Wl$(comma)-Ttext-segment=0x40000000) -rdynamic -static-libstdc++ $(addprefix -Wl$(comma)--wrap=,$(WRAPS)) \
  -L$(LIBPICA200) -Wl,-rpath,$(realpath $(LIBPICA200)) -lpica200 -lm -lpthread -ldl
LINK = $(CXX) $(COMMON) -o $@ $(1) $(SYSTEM_LIBS) $(LINK_FLAGS)

# --- libraries --------------------------------------------------------------------

# The parts of libctru that do not ask the system for anything; host/*.c is the rest.
CTRU_PARTS := gfx.c console.c font.c gpu/gpu.c gpu/gx.c gpu/gxqueue.c gpu/shaderProgram.c gpu/shbin.c \
  allocator/linear.cpp allocator/vram.cpp allocator/mem_pool.cpp \
  $(patsubst $(CTRULIB)/source/%,%,$(wildcard $(CTRULIB)/source/util/*/*.c $(CTRULIB)/source/applets/*.c))
LIB_SOURCES := $(wildcard $(addprefix $(CTRULIB)/source/,$(CTRU_PARTS))) \
  $(foreach l,$(CITRO3D) $(CITRO2D),$(wildcard $(l)/source/*.c $(l)/source/*/*.c $(l)/source/*.cpp))
HOST_SOURCES := $(wildcard $(HOST)/src/*.c)
# Their objects are for all projects of this machine, in a folder named by all that they depend on; the eight newest are kept.
CACHE := $(or $(XDG_CACHE_HOME),$(HOME)/.cache)/pica200-host
ifndef LIBS_OUT
LIBS_OUT := $(CACHE)/$(shell { $(CC) --version; echo $(LIB_FLAGS) $(HOST_FLAGS); find $(CTRULIB)/include $(CTRULIB)/source $(CTRULIB)/data $(CITRO3D) $(CITRO2D) \
  $(HOST)/src $(HOST)/embed.sh $(LIBPICA200)/pica200.h -type f ! -path '*/.git/*' ! -name compat.h ! -name arm.h | LC_ALL=C sort | xargs -d '\n' cat; } | sha256sum | cut -c 1-20)
endif
$(shell mkdir -p $(LIBS_OUT) && touch $(LIBS_OUT); ls -dt $(CACHE)/*/ 2>/dev/null | tail -n +9 | xargs -r rm -rf)
lib_object = $(LIBS_OUT)/$(subst /,_,$(1)).o
LIB_OBJECTS := $(foreach s,$(LIB_SOURCES),$(call lib_object,$(s)))
HOST_OBJECTS := $(foreach s,$(HOST_SOURCES),$(call lib_object,$(s)))

define compile_lib
$(call lib_object,$(1)): $(1) $(LIBS_OUT)/ready
	$(if $(filter %.cpp,$(1)),$(CXX) -std=gnu++17 -fno-rtti -fno-exceptions -fpermissive,$(CC)) $(LIB_FLAGS) -I$(LIBS_OUT) -c $$< -o $$@.new$$$$$$$$ && mv $$@.new$$$$$$$$ $$@
endef
$(foreach s,$(LIB_SOURCES),$(eval $(call compile_lib,$(s))))
define compile_host
$(call lib_object,$(1)): $(1) $(HOST)/src/host.h
	$(CC) $(HOST_FLAGS) -c $$< -o $$@.new$$$$$$$$ && mv $$@.new$$$$$$$$ $$@
endef
$(foreach s,$(HOST_SOURCES),$(eval $(call compile_host,$(s))))

# What the libraries embed: the console's font, citro2d's shader.
$(LIBS_OUT)/ready: $(wildcard $(CTRULIB)/data/default_font.bin) $(wildcard $(CITRO2D)/source/*.pica)
	flock $@.lock sh -ec '[ ! -e $@ ] || exit 0; for f in $(filter %.bin,$^); do $(HOST)/embed.sh $$f $(LIBS_OUT) > /dev/null; done; \
	  for f in $(filter %.pica,$^); do n=$(LIBS_OUT)/$$(basename $$f .v.pica).shbin; $(PICA200) asm $$f -o $$n; $(HOST)/embed.sh $$n $(LIBS_OUT) > /dev/null; done; touch $@'
EMBEDDED := $(patsubst %,$(LIBS_OUT)/%.o,$(if $(wildcard $(CTRULIB)/data/default_font.bin),default_font_bin) \
  $(patsubst %.v.pica,%_shbin,$(notdir $(wildcard $(CITRO2D)/source/*.v.pica))))
$(EMBEDDED): %.o: $(LIBS_OUT)/ready
	$(CC) -c $*.s -o $@.new$$$$ && mv $@.new$$$$ $@

$(LIBS_OUT)/libhost.a: $(LIB_OBJECTS) $(EMBEDDED)
	rm -f $@.new$$$$ && $(AR) rcs $@.new$$$$ $^ && mv $@.new$$$$ $@

# --- project ----------------------------------------------------------------------

SHLISTS := $(call find,$(FOLDERS),*.shlist)
PICAS := $(call find,$(FOLDERS),*.v.pica)
SHADERS := $(SHLISTS) $(filter-out $(SHLISTS:.shlist=.v.pica),$(PICAS)) $(if $(strip $(SHLISTS) $(PICAS)),,$(call find,$(FOLDERS),*.pica)) $(call find,$(FOLDERS) $(DATA),*.vsh)
TEXTURES := $(call find,$(GRAPHICS),*.t3s)
# Pictures that become bytes of blue, green and red, as the screens have them.
BGRS := $(if $(findstring bgr,$(OFILES) $(OFILES_BIN)),$(filter $(addprefix %/,$(PNGFILES)),$(call find,$(GRAPHICS),*.png)))
FILES := $(filter-out %.vsh,$(call find,$(DATA),*.*)) $(patsubst %.png,$(OUT)/%.bgr,$(notdir $(BGRS)))
shader_name = $(patsubst %.pica,%,$(patsubst %.v.pica,%,$(patsubst %.shlist,%,$(notdir $(1)))))
embedded = $(OUT)/$(notdir $(1)).embedded.o
object = $(OUT)/$(subst /,_,$(1)).o
CODE_OBJECTS := $(foreach s,$(CODE),$(call object,$(s)))
T3X_FOLDER := $(if $(filter-out $(BUILD),$(GFXBUILD)),$(GFXBUILD),$(OUT))
T3X := $(patsubst %.t3s,$(T3X_FOLDER)/%.t3x,$(notdir $(TEXTURES)))
T3H := $(patsubst %.t3s,$(OUT)/%.h,$(notdir $(TEXTURES)))
FONTS := $(patsubst %.ttf,$(T3X_FOLDER)/%.bcfnt,$(notdir $(call find,$(GRAPHICS),*.ttf)))
EMBED := $(foreach s,$(SHADERS),$(OUT)/$(call shader_name,$(s)).shbin) $(FILES) $(if $(filter $(T3X_FOLDER),$(OUT)),$(T3X) $(FONTS))
DATA_OBJECTS := $(foreach f,$(EMBED),$(call embedded,$(f)))

define shader
$(OUT)/$(call shader_name,$(1)).shbin: $(1) $(wildcard $(1:.v.pica=.g.pica))
	$(PICA200) asm $$^ -o $$@
endef
$(foreach s,$(SHADERS),$(eval $(call shader,$(s))))
TEX3DS ?= $(shell command -v tex3ds)
tex = $(if $(TEX3DS),cd $(dir $(1)) && $(TEX3DS) -i $(notdir $(1)) -H $(abspath $(3)) -o $(abspath $(2)),$(PICA200) tex $(1) -o $(2) --header $(3) --depends $(OUT)/$(notdir $(2)).d)
define texture
$(T3X_FOLDER)/$(notdir $(1:.t3s=.t3x)) $(OUT)/$(notdir $(1:.t3s=.h)) &: $(1) $(if $(TEX3DS),$(filter-out $(1),$(wildcard $(dir $(1))*)))
	mkdir -p $(T3X_FOLDER)
	$(call tex,$(1),$(T3X_FOLDER)/$(notdir $(1:.t3s=.t3x)),$(OUT)/$(notdir $(1:.t3s=.h)))
endef
$(foreach t,$(TEXTURES),$(eval $(call texture,$(t))))
-include $(patsubst %,$(OUT)/%.d,$(notdir $(T3X)))
MKBCFNT ?= $(shell command -v mkbcfnt)
define font
$(T3X_FOLDER)/$(notdir $(1:.ttf=.bcfnt)): $(1)
	mkdir -p $(T3X_FOLDER)
	$(if $(MKBCFNT),$(MKBCFNT),$(PICA200) tex) -o $$@ $$<
endef
$(foreach f,$(call find,$(GRAPHICS),*.ttf),$(eval $(call font,$(f))))
define bgr
$(OUT)/$(notdir $(1:.png=.bgr)): $(1)
	convert $$< -rotate 90 $$@
endef
$(foreach p,$(BGRS),$(eval $(call bgr,$(p))))
define embed
$(call embedded,$(1)): $(1)
	$(CC) -c $$$$($(HOST)/embed.sh $(1) $(OUT)) -o $$@
endef
$(foreach f,$(EMBED),$(eval $(call embed,$(f))))
define compile
$(call object,$(1)): $(1) $(OUT)/flags $(filter-out $(OUT)/romfs.o,$(DATA_OBJECTS)) $(T3H)
	$(if $(filter %.c,$(1)),$(CC) $(PROJECT_CFLAGS),$(CXX) $(PROJECT_CXXFLAGS)) -MMD -c $$< -o $$@
endef
$(foreach s,$(CODE),$(eval $(call compile,$(s))))
-include $(CODE_OBJECTS:.o=.d)

# Other flags, or other libraries, make other objects.
update = $(file >$(1).new,$(2))$(shell cmp -s $(1).new $(1) || cp $(1).new $(1); rm $(1).new)
$(call update,$(OUT)/flags,$(CC) $(CXX) $(PROJECT_CFLAGS) $(PROJECT_CXXFLAGS) $(LIBS_OUT))
# Where romfs:/ is, if the project has one.
$(call update,$(OUT)/romfs.c,const char host_romfs[] = "$(if $(strip $(or $(ROMFS),$(ROMFS_DIR))),$(abspath $(or $(ROMFS),$(ROMFS_DIR))))";)
$(OUT)/romfs.o: $(OUT)/romfs.c
	$(CC) $(COMMON) -c $< -o $@
DATA_OBJECTS += $(OUT)/romfs.o

empty :=
HEADER_LIST := $(subst $(empty) $(empty),:,$(filter-out $(HOST)/src/include,$(HEADERS)))
$(PROGRAM): $(CODE_OBJECTS) $(DATA_OBJECTS) $(HOST_OBJECTS) $(LIBS_OUT)/libhost.a $(T3X) $(FONTS)
	CC="$(CC)" FUNCTIONS="$(FUNCTIONS)" $(HOST)/link.sh $(OUT) $(HEADER_LIST) \
	  $(call LINK,$(CODE_OBJECTS) $(DATA_OBJECTS) $(HOST_OBJECTS) $(LIBS_OUT)/libhost.a)

# For host.cmake: all but the project's own, and how to compile and link with it.
libs: $(LIBS_OUT)/liball.a
$(LIBS_OUT)/liball.a: $(HOST_OBJECTS) $(LIBS_OUT)/libhost.a
	cp $(LIBS_OUT)/libhost.a $@ && $(AR) rs $@ $(HOST_OBJECTS)
flags:
	@echo $(HEADER_LIST) && echo $(COMMON) $(INCLUDE_FLAGS) && echo $(LIBS_OUT)/liball.a $(LINK_FLAGS)

.PHONY: all clean libs flags
all: $(PROGRAM)
clean:
	rm -rf $(OUT)
