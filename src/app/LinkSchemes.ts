/** Schemes that run or show what a link says in the place of the page it is on. */
const unsafe = new Set(["javascript", "data", "vbscript", "file", "blob", "about"])

/** The schemes that a list with commas names, in lower case, without their colons; those that are none or unsafe are left out. */
export const linkSchemesIn = (list: string): ReadonlyArray<string> =>
  list
    .toLowerCase()
    .split(",")
    .map((scheme) => scheme.trim().replace(/:(?:\/\/)?$/, ""))
    .filter((scheme) => /^[a-z][a-z0-9+.-]*$/.test(scheme) && !unsafe.has(scheme))
