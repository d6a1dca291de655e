/** What work that yields between its steps comes to, where nobody waits for anything else meanwhile. */
export const ended = <A>(work: Generator<void, A>): A => {
  for (;;) {
    const step = work.next()
    if (step.done === true) return step.value
  }
}
