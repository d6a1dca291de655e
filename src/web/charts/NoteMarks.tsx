import type { NotePlace } from "./NotePlaces.ts"

interface Props {
  readonly places: ReadonlyArray<NotePlace>
  /** Pixels from the top at which the marks stand, and down to which their lines reach. */
  readonly top: number
  readonly bottom: number
}

/** The notes as they are drawn, also in pictures of the chart: a dot with a line beneath, or the number of those that fold into one. */
export const NoteMarks = ({ places, top, bottom }: Props) => (
  <g>
    {places.map(({ x, notes }) => (
      <g key={x} className="chart-note">
        <title>{notes.map(({ text, detail }) => `${detail}: ${text}`).join("\n")}</title>
        <line className="chart-note-line" x1={x} x2={x} y1={top + 6} y2={bottom} />
        <circle className="chart-note-dot" cx={x} cy={top} r={notes.length > 1 ? 8 : 4.5} />
        {notes.length > 1 && (
          <text className="chart-note-count" x={x} y={top + 4} textAnchor="middle">
            {notes.length > 99 ? "99" : notes.length}
          </text>
        )}
      </g>
    ))}
  </g>
)
