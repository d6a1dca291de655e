/** What a thread that estimates passwords is asked. */
export interface PasswordQuestion {
  readonly password: string
  readonly about: ReadonlyArray<string>
}
