// A square that moves a pixel to the right each frame, in the lower left of a clear colour.
#include <3ds.h>
#include <citro3d.h>
#include "shade_shbin.h"
#include "width.h"

static void corner(float x, float y) {
	C3D_ImmSendAttrib(x, y, 0.5f, 1);
	C3D_ImmSendAttrib(1, 0.5f, 0, 1);
}

int main(void) {
	gfxInitDefault();
	C3D_Init(C3D_DEFAULT_CMDBUF_SIZE);
	C3D_RenderTarget *target = C3D_RenderTargetCreate(240, 400, GPU_RB_RGBA8, GPU_RB_DEPTH24_STENCIL8);
	C3D_RenderTargetSetOutput(target, GFX_TOP, GFX_LEFT, GX_TRANSFER_IN_FORMAT(GX_TRANSFER_FMT_RGBA8) | GX_TRANSFER_OUT_FORMAT(GX_TRANSFER_FMT_RGB8));
	DVLB_s *file = DVLB_ParseFile((u32 *)shade_shbin, shade_shbin_size);
	shaderProgram_s program;
	shaderProgramInit(&program);
	shaderProgramSetVsh(&program, &file->DVLE[0]);
	C3D_BindProgram(&program);
	int projection = shaderInstanceGetUniformLocation(program.vertexShader, "projection");
	C3D_AttrInfo *attributes = C3D_GetAttrInfo();
	AttrInfo_Init(attributes);
	AttrInfo_AddLoader(attributes, 0, GPU_FLOAT, 4);
	AttrInfo_AddLoader(attributes, 1, GPU_FLOAT, 4);
	C3D_TexEnv *env = C3D_GetTexEnv(0);
	C3D_TexEnvInit(env);
	C3D_TexEnvSrc(env, C3D_Both, GPU_PRIMARY_COLOR, 0, 0);
	C3D_TexEnvFunc(env, C3D_Both, GPU_REPLACE);
	C3D_CullFace(GPU_CULL_NONE);
	C3D_Mtx m;
	Mtx_OrthoTilt(&m, 0, 400, 0, 240, 0, 1, true);
	for (int frame = 0; aptMainLoop(); frame++) {
		C3D_FrameBegin(C3D_FRAME_SYNCDRAW);
		C3D_RenderTargetClear(target, C3D_CLEAR_ALL, 0x102030FF, 0);
		C3D_FrameDrawOn(target);
		C3D_FVUnifMtx4x4(GPU_VERTEX_SHADER, projection, &m);
		volatile unsigned none = 0;
		float x = 10 + frame, y = __builtin_clz(none) - 12;
		C3D_ImmDrawBegin(GPU_TRIANGLE_STRIP);
		corner(x, y), corner(x + WIDTH, y), corner(x, y + 40), corner(x + WIDTH, y + 40);
		C3D_ImmDrawEnd();
		C3D_FrameEnd(0);
	}
	C3D_Fini();
	gfxExit();
	return 0;
}
