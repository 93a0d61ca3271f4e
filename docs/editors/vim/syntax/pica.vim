" Vim syntax file: shaders of the PICA200 in the language of picasso.
" The words are from the assembler's tables; go test ./shaderunit/asm -run Grammar -update writes this file.
if exists("b:current_syntax")
  finish
endif
syn case ignore
syn keyword picaFlow break breakc call callc callu emit end for ifc ifu jmpc jmpu nop setemit
syn keyword picaOperation add cmp dp3 dp4 dph dphi dst dsti ex2 flr lg2 litp mad madi max min mov mova mul rcp rsq sge sgei slt slti
syn keyword picaConstant position normalquat color texcoord0 texcoord0w texcoord1 texcoord2 view dummy eq ne lt le gt ge point variable fixed true false on off prim inv
syn match picaDirective /\.\%(alias\|bool\|constf\|constfa\|consti\|else\|end\|entry\|fvec\|gsh\|in\|ivec\|nodvle\|options\|out\|proc\|setb\|setf\|seti\|dvle\|label\|opdesc\|word\)\>/
syn match picaLabel /^\s*[A-Za-z_$][A-Za-z0-9_$]*:/
syn match picaRegister /\<\%([orvcib][0-9]\+\|a0\|al\)\>/
syn match picaNumber /\%(-\|\<\)\%(0x[0-9a-f.]\+\%(p[-+]\=[0-9]\+\)\=\|[0-9]\+\.\=[0-9]*\%(e[-+]\=[0-9]\+\)\=f\=\)\>/
syn match picaMember /\.[xyzwrgbastpq]\{1,4}\>/
syn match picaPreProc /^\s*#.*$/
syn match picaComment /;.*$/ contains=@Spell
hi def link picaFlow Statement
hi def link picaOperation Function
hi def link picaConstant Constant
hi def link picaDirective PreProc
hi def link picaLabel Label
hi def link picaRegister Identifier
hi def link picaNumber Number
hi def link picaMember Special
hi def link picaPreProc PreProc
hi def link picaComment Comment
let b:current_syntax = "pica"
