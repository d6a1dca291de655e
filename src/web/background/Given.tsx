import { Empty } from "../ui/States.tsx"

/** In the place of an answer that is not asked for any more, because somebody cancelled it or handed it to the background. */
export const Given = ({ onAsk }: { readonly onAsk: () => void }) => (
  <Empty
    title="The question waits"
    action={
      <button type="button" className="button" onClick={onAsk}>
        Ask again
      </button>
    }
  >
    It was cancelled, or runs in the background: the answer is told at the foot of the page when it is there.
  </Empty>
)
