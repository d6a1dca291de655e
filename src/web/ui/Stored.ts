type Store = "localStorage" | "sessionStorage"

/** What the browser did not take, until the page is loaded anew: its store may be full, forbidden or missing. */
const untaken = new Map<string, string>()

/** What the browser, or with `sessionStorage` the tab, remembers under the key; null for nothing. */
export const readStored = (store: Store, key: string): string | null => {
  try {
    return untaken.get(key) ?? globalThis[store].getItem(key)
  } catch {
    return null
  }
}

/** Remembers a text under the key, or with null nothing any more. False where the browser did not take it. */
export const writeStored = (store: Store, key: string, text: string | null): boolean => {
  untaken.delete(key)
  try {
    if (text === null) globalThis[store].removeItem(key)
    else globalThis[store].setItem(key, text)
    return true
  } catch {
    if (text !== null) untaken.set(key, text)
    return false
  }
}
