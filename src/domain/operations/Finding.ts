/** One thing that was looked at. */
export interface Finding {
  readonly isGood: boolean
  /** In plain words, for the operator. */
  readonly text: string
}

export const good = (text: string): Finding => ({ isGood: true, text })
export const bad = (text: string): Finding => ({ isGood: false, text })
