import type { ReactNode } from "react"
import { Mark } from "../ui/Icon.tsx"
import "../theme/entrance.css"

const Scene = () => (
  <svg viewBox="0 0 600 900" preserveAspectRatio="xMidYMid slice" aria-hidden="true" focusable="false">
    <rect className="scene-sky" width="600" height="900" />
    <circle className="scene-sun" cx="420" cy="240" r="80" />
    <path className="scene-far" d="M0 570c100-70 170-90 260-40s150 50 340-70v440H0z" />
    <path className="scene-middle" d="M0 670c120-50 210-20 310 20s190 0 290-60v270H0z" />
    <path className="scene-near" d="M0 790c140-70 250-30 350-10s190-20 250-60v180H0z" />
    <path className="scene-line" d="M30 530 130 480 210 505 300 405 380 440 460 325 565 255" />
    <g className="scene-points">
      {[
        [130, 480],
        [300, 405],
        [460, 325],
        [565, 255]
      ].map(([x, y]) => (
        <circle key={x} cx={x} cy={y} r="6" />
      ))}
    </g>
  </svg>
)

interface Props {
  readonly title: string
  readonly lead: string
  readonly children: ReactNode
}

/** The page before one is signed in: a form beside a picture. */
export const Entrance = ({ title, lead, children }: Props) => (
  <main className="entrance">
    <div className="entrance-form">
      <div className="brand">
        <Mark size={24} />
        <b>Gamekeeper</b>
      </div>
      <h1>{title}</h1>
      <p className="lead">{lead}</p>
      {children}
    </div>
    <div className="entrance-scene">
      <Scene />
    </div>
  </main>
)

export const EmailField = () => (
  <label className="field">
    E-mail
    <input name="email" type="email" autoComplete="username" required />
  </label>
)
