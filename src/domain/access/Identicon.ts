const side = 5
const half = 3
const cell = 20

/** FNV-1a, 32 bits, of the text's UTF-16 units. */
const hash = (text: string, seed: number): number => {
  let h = (0x811c9dc5 ^ seed) >>> 0
  for (let i = 0; i < text.length; i++) h = Math.imul(h ^ text.charCodeAt(i), 0x01000193) >>> 0
  return h
}

/** The filled cells; the right half mirrors the left. */
const cells = (bits: number): ReadonlyArray<readonly [x: number, y: number]> =>
  Array.from({ length: side * side }, (_, n) => [n % side, Math.floor(n / side)] as const).filter(
    ([x, y]) => ((bits >>> (Math.min(x, side - 1 - x) + y * half)) & 1) === 1
  )

/**
 * An SVG picture for accounts and organizations that have none: a symmetric pattern in one colour, always the same for
 * a name.
 */
export const draw = (name: string): string => {
  const squares = cells(hash(name, 1)).map(([x, y]) => `M${x * cell} ${y * cell}h${cell}v${cell}h-${cell}z`)
  const hue = hash(name, 2) % 360
  const box = `${-cell} ${-cell} ${cell * (side + 2)} ${cell * (side + 2)}`
  return (
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="${box}" width="140" height="140">` +
    `<rect x="${-cell}" y="${-cell}" width="100%" height="100%" fill="hsl(${hue} 40% 92%)"/>` +
    `<path d="${squares.join("")}" fill="hsl(${hue} 55% 45%)"/></svg>`
  )
}
