/** Groups items by key; keys and items keep the order of first appearance. */
export const groupBy = <A, K>(items: Iterable<A>, key: (item: A) => K): Map<K, Array<A>> => {
  const groups = new Map<K, Array<A>>()
  for (const item of items) {
    const group = key(item)
    const known = groups.get(group)
    if (known === undefined) groups.set(group, [item])
    else known.push(item)
  }
  return groups
}
