import type { ComponentType, ReactNode } from "react"
import { useEffect, useState } from "react"
import { Empty, Skeleton } from "./States.tsx"

interface Chunk<Props> {
  readonly default: ComponentType<Props>
}

interface Words {
  readonly title: string
  readonly children: ReactNode
}

/** Says what is the matter where only loading the page again may help. */
export const LoadAgain = ({ title, children }: Words) => (
  <div role="alert">
    <Empty
      title={title}
      action={
        <button type="button" className="button" onClick={() => window.location.reload()}>
          Load the page again
        </button>
      }
    >
      {children}
    </Empty>
  </div>
)

const Unloaded = () => (
  <LoadAgain title="A part of this page did not load">
    The connection may be lost, or the server was updated a moment ago.
  </LoadAgain>
)

const nothing = () => null

const asItIs = (words: ReactNode) => words

/** What stands in the place of a component in its size, given in pixels. */
export const skeleton =
  (height = 320) =>
  () => <Skeleton height={height} />

/**
 * A component whose script is loaded when it is drawn for the first time, or before, by its `load`. Until then `waiting` stands in its
 * place, and where it cannot be loaded, what `within` makes of the words that say so. It is drawn in the moment in which it is there, where
 * a `Suspense` that has shown anything keeps it for 300 ms.
 */
export const loadable = <Props extends object, C extends Chunk<Props>>(
  load: () => Promise<C & Chunk<Props>>,
  waiting: () => ReactNode = nothing,
  within: (words: ReactNode) => ReactNode = asItIs
) => {
  let chunk: C | null = null
  const loadOnce = async (): Promise<C> => (chunk ??= await load())
  const Loadable = (props: Props) => {
    const [known, setKnown] = useState(chunk)
    const [isLost, setLost] = useState(false)
    useEffect(() => {
      if (known !== null) return
      let isDrawn = true
      loadOnce().then(
        (loaded) => isDrawn && setKnown(loaded),
        () => isDrawn && setLost(true)
      )
      return () => {
        isDrawn = false
      }
    }, [known])
    if (known !== null) return <known.default {...props} />
    return isLost ? within(<Unloaded />) : waiting()
  }
  return Object.assign(Loadable, { load: loadOnce })
}
