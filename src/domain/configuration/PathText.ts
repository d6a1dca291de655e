import type { Path } from "./Document.ts"

const part = (key: string): string => {
  if (/^\d+$/.test(key)) return `[${key}]`
  return /^[A-Za-z_$][\w$-]*$/.test(key) ? `.${key}` : `[${JSON.stringify(key)}]`
}

/** A path as people read it, such as `configuration.shop.items[0]`. */
export const pathText = (root: string, path: Path): string => root + path.map(part).join("")
