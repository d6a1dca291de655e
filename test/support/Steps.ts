/** What steps come to, and how many there were. */
export const ended = <A>(steps: Generator<undefined, A>): { readonly value: A; readonly count: number } => {
  for (let count = 1; ; count++) {
    const step = steps.next()
    if (step.done === true) return { value: step.value, count }
  }
}
