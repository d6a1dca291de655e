import { Segmented } from "../ui/Segmented.tsx"
import type { HeatmapQuestion } from "./HeatmapQuestion.ts"
import { mostBlur } from "./HeatmapQuestion.ts"

interface Props {
  readonly question: HeatmapQuestion
  readonly onChange: (part: Partial<HeatmapQuestion>) => void
}

const rampChoices = [
  ["fire", "Fire"],
  ["sea", "Sea"]
] as const

/** How the values lie on the map. */
export const Looks = ({ question, onChange }: Props) => (
  <div className="map-looks">
    {question.view === "flat" && (
      <>
        <label className="slider">
          Opacity
          <input
            type="range"
            min={10}
            max={100}
            step={5}
            value={question.opacity}
            onChange={({ target }) => onChange({ opacity: Number(target.value) })}
          />
          <output>{question.opacity} %</output>
        </label>
        <label className="slider">
          Blur
          <input
            type="range"
            min={0}
            max={mostBlur}
            value={question.blur}
            onChange={({ target }) => onChange({ blur: Number(target.value) })}
          />
          <output>{question.blur === 0 ? "none" : question.blur === 1 ? "1 cell" : `${question.blur} cells`}</output>
        </label>
      </>
    )}
    {question.comparison === null && (
      <Segmented label="Colours" value={question.ramp} choices={rampChoices} onChoose={(ramp) => onChange({ ramp })} />
    )}
  </div>
)
