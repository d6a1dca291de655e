// Which packages a script of npm needs.

/** The scripts that need more than serving does: tests and what measures, and what makes types of the client or pictures. */
const needsAll = /^pre(test|bench|package|executable|pictures|kills|sdk)/

/** The packages that npm's script before one (`prestart`) installs: `runtime` for serving, `all` with those of development. */
export const scopeOf = (script) => (needsAll.test(script) ? "all" : "runtime")
