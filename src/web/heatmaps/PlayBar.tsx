import { bucketName } from "../text/Times.ts"
import { DeniableButton } from "../ui/DeniableButton.tsx"
import { Icon } from "../ui/Icon.tsx"
import { Segmented } from "../ui/Segmented.tsx"
import type { Frame, FrameStep, Play } from "./Frames.ts"
import { mostFrames } from "./Frames.ts"

interface Props {
  readonly play: Play
  readonly frames: ReadonlyArray<Frame> | null
  readonly step: FrameStep
  readonly isCompared: boolean
  readonly timezone: string
  readonly onStep: (step: FrameStep) => void
}

const steps = [
  ["day", "By day"],
  ["hour", "By hour"]
] as const

/** Why nothing can be played; null where it can. */
const hindrance = ({ frames, step, isCompared }: Props): string | null => {
  if (isCompared) return "A comparison cannot be played"
  if (frames !== null) return null
  return step === "day"
    ? `Choose a period of at most ${mostFrames} days to play it`
    : "Choose a period of at most 3 days to play it by the hour"
}

/** Plays the period step by step, with pause and a slider. */
export const PlayBar = (props: Props) => {
  const { play, frames, step, timezone, onStep } = props
  const reason = hindrance(props)
  const shown = play.at === null ? undefined : frames?.[play.at]
  const name = shown === undefined ? "the whole period" : bucketName(shown.from, step, timezone)
  return (
    <div className="map-play" role="group" aria-label="Play">
      <DeniableButton
        denied={reason}
        look="button-small"
        isBusy={play.progress !== null}
        onClick={play.isRunning ? play.pause : play.play}
      >
        <Icon name={play.isRunning ? "pause" : "play"} size={14} />
        {play.isRunning ? "Pause" : "Play"}
      </DeniableButton>
      <Segmented label="Play" value={step} choices={steps} onChoose={onStep} />
      {play.at !== null && (
        <>
          <label className="slider">
            <span className="unseen">Time</span>
            <input
              type="range"
              min={0}
              max={play.count - 1}
              value={play.at}
              aria-valuetext={name}
              onChange={({ target }) => play.show(Number(target.value))}
            />
            <output>{name}</output>
          </label>
          <button type="button" className="button button-small button-quiet" onClick={play.stop}>
            Whole period
          </button>
        </>
      )}
      {play.progress !== null && (
        <span className="faint" role="status">
          Loading {play.progress} of {play.count} …
        </span>
      )}
      {reason !== null && <span className="faint">{reason}.</span>}
      {play.error !== null && (
        <p className="form-error" role="alert">
          {play.error.message}
        </p>
      )}
    </div>
  )
}
