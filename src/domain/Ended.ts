/** What work that yields between its steps comes to, done at once: where nobody waits for anything else meanwhile, or it is short. */
export const ended = <A>(work: Generator<unknown, A>): A => {
  for (;;) {
    const step = work.next()
    if (step.done === true) return step.value
  }
}
