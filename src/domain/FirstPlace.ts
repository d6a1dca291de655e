/**
 * The first of `count` places, numbered from 0, at which `isReached` holds, by halving: it must hold at every place after one at which it
 * does. `count` where it holds at none.
 */
export const firstPlace = (count: number, isReached: (place: number) => boolean): number => {
  let low = 0
  let high = count
  while (low < high) {
    const middle = (low + high) >>> 1
    if (isReached(middle)) high = middle
    else low = middle + 1
  }
  return low
}
