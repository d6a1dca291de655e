/** How well a password withstands guessing, on the scale of zxcvbn (Wheeler, USENIX Security 2016). */
export interface PasswordEstimate {
  /**
   * 0: under 10³ guesses, 1: under 10⁶, which holds against guesses at a sign-in that is slowed down, 2: under 10⁸, 3: under
   * 10¹⁰, which holds against somebody who has read its slow hash for a while, 4: more.
   */
  readonly score: 0 | 1 | 2 | 3 | 4
  /** Why it is easy to guess and what would help, as sentences; empty where nothing is to be said. */
  readonly advice: string
}

/** What is said of a password where nothing can be said. */
export const unknownStrength: PasswordEstimate = { score: 4, advice: "" }

/** Words of which a person's password should not be made: of the address, its part before the @, the name, and the product. */
export const wordsAbout = (email: string, name: string): ReadonlyArray<string> => [
  email,
  ...email.split(/[@.+_-]/),
  name,
  ...name.split(/\s+/),
  "gamekeeper"
]

/** The beginning of a password that is looked at: an estimate takes time with the square of the length, and no more is needed. */
export const estimatedLength = 64
