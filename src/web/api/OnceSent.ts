interface Sent {
  readonly change: string
  readonly answer: Promise<string>
}

/** The change that this page sent last, until it is answered. */
let last: Sent | null = null

/**
 * Sends a change. Where it is the same as the last one, which is still on its way, it is that one: a button is pressed twice before the page
 * has drawn it as busy, and would make two keys, boards or questions.
 */
export const sendOnce = (change: string, send: () => Promise<string>): Promise<string> => {
  if (last?.change === change) return last.answer
  const sent = { change, answer: send() }
  last = sent
  const forget = () => {
    if (last === sent) last = null
  }
  sent.answer.then(forget, forget)
  return sent.answer
}
