/** What the build wrote into the document: the files of each page by the part of its address that names it. */
const filesOf = (page: string): ReadonlyArray<string> => {
  const pages: unknown = JSON.parse(document.querySelector<HTMLMetaElement>("meta[name=pages]")?.content ?? "{}")
  const files: unknown = typeof pages === "object" && pages !== null ? Reflect.get(pages, page) : undefined
  return Array.isArray(files) ? files.map(String) : []
}

/**
 * Asks for the scripts and styles of the page that the address names beside those that every page begins with, not after them: a script
 * is known to import others only once it is there.
 */
export const preloadPage = (): void => {
  for (const file of filesOf(window.location.pathname.split("/")[4] ?? "")) {
    const link = document.createElement("link")
    if (file.endsWith(".css")) {
      link.rel = "preload"
      link.as = "style"
    } else link.rel = "modulepreload"
    link.href = `/assets/${file}`
    document.head.append(link)
  }
}
