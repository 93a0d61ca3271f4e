//go:build !amd64

// With a file of assembly in the folder, the compiler accepts functions without a
// body: the declarations of kernels that other builds have.
