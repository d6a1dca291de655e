/** Names of browsers by what their user agent says. Later ones name themselves like earlier ones too, so the order decides. */
const browsers: ReadonlyArray<readonly [RegExp, string]> = [
  [/\bEdg(e|A|iOS)?\//, "Edge"],
  [/\bOPR\//, "Opera"],
  [/\bSamsungBrowser\//, "Samsung Internet"],
  [/\b(Firefox|FxiOS)\//, "Firefox"],
  [/\b(Chrome|HeadlessChrome|CriOS|Chromium)\//, "Chrome"],
  [/\bVersion\/\S+ .*Safari\//, "Safari"]
]

const systems: ReadonlyArray<readonly [RegExp, string]> = [
  [/\b(iPhone|iPad|iPod)\b/, "iOS"],
  [/\bAndroid\b/, "Android"],
  [/\bWindows\b/, "Windows"],
  [/\bCrOS\b/, "ChromeOS"],
  [/\b(Macintosh|Mac OS X)\b/, "macOS"],
  [/\bLinux\b/, "Linux"]
]

/** Of longer user agents only the beginning is looked at: they come from strangers. */
const longest = 512

const named = (names: ReadonlyArray<readonly [RegExp, string]>, text: string) =>
  names.find(([pattern]) => pattern.test(text))?.[1]

/**
 * What a person calls the browser of that user agent, such as "Firefox on Windows". A program that is none is called by its own name, of at
 * most 40 characters; null where it tells nothing.
 */
export const browserNameOf = (userAgent: string | undefined): string | null => {
  const text = (userAgent ?? "").slice(0, longest)
  const browser = named(browsers, text) ?? /^[A-Za-z][\w.-]{0,39}/.exec(text)?.[0]
  if (browser === undefined) return null
  const system = named(systems, text)
  return system === undefined ? browser : `${browser} on ${system}`
}
