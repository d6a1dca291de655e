import type { PlanDraft } from "./PlanDraft.ts"
import { Problem } from "./Problem.tsx"

interface Props {
  readonly draft: PlanDraft
  readonly problem: string | null
  readonly onChange: (part: Partial<PlanDraft>) => void
}

/** What is tried, and what it is expected to do. */
export const WhatCard = ({ draft, problem, onChange }: Props) => (
  <section className="card plan-card" aria-label="What and why">
    <h2>What and why</h2>
    <label className="field">
      Name
      <input
        value={draft.name}
        maxLength={100}
        autoComplete="off"
        placeholder="Cheaper starter pack"
        aria-invalid={problem !== null}
        onChange={({ currentTarget }) => onChange({ name: currentTarget.value })}
      />
    </label>
    <Problem text={problem} />
    <label className="field">
      What should happen
      <textarea
        className="input"
        rows={2}
        value={draft.hypothesis}
        maxLength={2000}
        placeholder="More players buy at all, and those who have bought once buy again"
        onChange={({ currentTarget }) => onChange({ hypothesis: currentTarget.value })}
      />
      <small>Written down before, it keeps everybody honest after.</small>
    </label>
    <label className="field">
      Notes
      <textarea
        className="input"
        rows={2}
        value={draft.description}
        maxLength={2000}
        placeholder="Why now, who asked for it, where it was discussed"
        onChange={({ currentTarget }) => onChange({ description: currentTarget.value })}
      />
    </label>
  </section>
)
