interface Props {
  /** Shares of the width and height that it stands at. */
  readonly across: number
  readonly down: number
  readonly children: ReadonlyArray<string>
}

/** What a cell or bar says of itself, beside it. */
export const CellTip = ({ across, down, children }: Props) => {
  const [first, ...others] = children
  return (
    <div
      className={`map-tip${across > 0.5 ? " map-tip-left" : ""}`}
      aria-hidden="true"
      ref={(tip) => {
        tip?.style.setProperty("--x", `${100 * across}%`)
        tip?.style.setProperty("--y", `${100 * down}%`)
      }}
    >
      <b>{first}</b>
      {others.map((line) => (
        <span key={line}>{line}</span>
      ))}
    </div>
  )
}
