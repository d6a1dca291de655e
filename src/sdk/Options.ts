import type { OnProblem } from "./Problem.ts"
import type { Storage } from "./Storage.ts"
import { headersOf, type TransportOptions } from "./Transport.ts"

export interface ClientOptions extends TransportOptions {
  /** The player whom markers belong to where they name nobody else. */
  readonly distinctId?: string
  readonly sessionId?: string
  /** What outlives the process or the page; by default nothing. */
  readonly storage?: Storage
  /** Seconds after which a marker is sent that waits for others: 5. */
  readonly flushSeconds?: number
  /** Seconds for which `close` may send what waits: 3. */
  readonly closeSeconds?: number
  /** Markers that may wait while the server cannot be reached: 10,000. Further ones are not taken, and told as a problem. */
  readonly mostWaiting?: number
  /** Whether configurations are read again as soon as something is published, over one stream, and not only when they are polled: false. */
  readonly stream?: boolean
  readonly onProblem?: OnProblem
}

const known: Readonly<Record<keyof ClientOptions, true>> = {
  url: true,
  key: true,
  environment: true,
  distinctId: true,
  sessionId: true,
  storage: true,
  flushSeconds: true,
  closeSeconds: true,
  mostWaiting: true,
  timeoutMillis: true,
  stream: true,
  fetch: true,
  onProblem: true
}

/** What is said of each option that there is not, such as one whose name has a typing error. */
export const strangersIn = (options: ClientOptions): ReadonlyArray<string> =>
  Object.keys(options)
    .filter((name) => !Object.hasOwn(known, name))
    .map((name) => `${name} is no option. There are: ${Object.keys(known).join(", ")}`)

/** The least that each number may be, and what it is where nothing that makes sense is given. */
const numbers = {
  flushSeconds: { least: 0, otherwise: 5 },
  closeSeconds: { least: 0, otherwise: 3 },
  mostWaiting: { least: 0, otherwise: 10_000 },
  timeoutMillis: { least: 1, otherwise: 15_000 }
} as const

type NumberName = keyof typeof numbers

const isSound = (name: NumberName, value: unknown): value is number =>
  typeof value === "number" && value >= numbers[name].least

/** What a number of the options is, whatever a program without types has given. */
export const numberIn = (options: ClientOptions, name: NumberName): number => {
  const value: unknown = options[name]
  return isSound(name, value) ? value : numbers[name].otherwise
}

/** What is said of each number that makes no sense, such as one that was calculated of a text. */
export const wrongNumbersIn = (options: ClientOptions): ReadonlyArray<string> => {
  const names = ["flushSeconds", "closeSeconds", "mostWaiting", "timeoutMillis"] as const
  return names
    .filter((name) => options[name] !== undefined && !isSound(name, options[name]))
    .map((name) => {
      const { least, otherwise } = numbers[name]
      return `${name} must be a number of at least ${least}, and is ${String(options[name])}: ${otherwise} is used`
    })
}

/** Why no request can be sent with these options, whatever is tried; null where they can. Programs without types may give anything. */
export const hindranceIn = (options: ClientOptions): string | null => {
  const { url, key } = options
  if (typeof url !== "string" || !/^https?:\/\//i.test(url))
    return `url must be the server's address with https:// or http://, and is ${String(url)}`
  if (typeof key !== "string" || key === "") return "key must be the API key of the game, and is missing"
  try {
    void new URL(url)
  } catch {
    return `url is no address: ${url}`
  }
  try {
    void new Headers(headersOf(options))
  } catch {
    return "key or environment has a character that no header may have"
  }
  return null
}
