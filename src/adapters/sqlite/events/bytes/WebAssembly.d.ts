/** What the engine uses of WebAssembly, which the types of Node leave to those of browsers. */
declare namespace WebAssembly {
  class Memory {
    constructor(descriptor: { readonly initial: number })
    readonly buffer: ArrayBuffer
  }
  const Module: new (bytes: Uint8Array) => object
  class Instance {
    constructor(module: object, imports: Readonly<Record<string, Readonly<Record<string, Memory>>>>)
    readonly exports: Readonly<Record<string, ((...numbers: ReadonlyArray<number>) => number) | undefined>>
  }
}
