/** Schemes that run or show what a link says in the place of the page it is on. */
const unsafe = new Set(["javascript", "data", "vbscript", "file", "blob", "about"])

/** The parts of a list with commas that are not empty, in lower case, without what stands between a scheme and the rest of an address. */
const partsOf = (list: string): ReadonlyArray<string> =>
  list
    .toLowerCase()
    .split(",")
    .map((scheme) => scheme.trim().replace(/:(?:\/\/)?$/, ""))
    .filter((scheme) => scheme !== "")

const isScheme = (scheme: string): boolean => /^[a-z][a-z0-9+.-]*$/.test(scheme) && !unsafe.has(scheme)

/** Whether every part of a list with commas is a scheme, and a safe one. */
export const areLinkSchemes = (list: string): boolean => partsOf(list).every(isScheme)

/** The schemes that a list with commas names, in lower case, without their colons; those that are none or unsafe are left out. */
export const linkSchemesIn = (list: string): ReadonlyArray<string> => partsOf(list).filter(isScheme)
