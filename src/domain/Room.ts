/** How many of a kind something has, and the characters of what may be long of them together. */
export interface Size {
  readonly count: number
  readonly characters: number
}

/** Whether there is room for another one with so many characters. */
export const hasRoomFor = (size: Size, most: Size, characters: number): boolean =>
  size.count < most.count && size.characters + characters <= most.characters

/** Whether one of them may have other characters than before: always where it does not grow. */
export const hasRoomToGrow = (size: Size, most: Size, before: number, after: number): boolean =>
  after <= before || size.characters + after - before <= most.characters
