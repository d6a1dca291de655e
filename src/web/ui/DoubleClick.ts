/**
 * Whether a click is the second of a double click. It is meant for what stood there at the first, which may be gone by now: the next step of a
 * rollout, the next row of a list, or the button that takes the first click back.
 */
export const isRepeated = ({ detail }: { readonly detail: number }): boolean => detail > 1
