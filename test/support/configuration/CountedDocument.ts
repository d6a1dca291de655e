import type { Document } from "../../../src/domain/configuration/Document.ts"

/** A document of many keys, `k0` to `k<size - 1>`, beside those given. It counts how often somebody lists its keys. */
export const countedDocument = (size: number, beside: Document = {}) => {
  const content = { ...beside, ...Object.fromEntries(Array.from({ length: size }, (_, index) => [`k${index}`, index])) }
  const seen = { passes: 0 }
  const document: Document = new Proxy(content, {
    ownKeys: (target) => {
      seen.passes++
      return Reflect.ownKeys(target)
    }
  })
  return { document, seen }
}
