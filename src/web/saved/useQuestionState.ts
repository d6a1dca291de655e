import { useCallback, useEffect, useMemo } from "react"
import { useLocation, useSearch } from "wouter"
import { useSave } from "../api/savedQueries.ts"
import { useProject } from "../shell/Project.tsx"
import { readable } from "../url/Codec.ts"
import type { Kind } from "./Kind.ts"
import { nameFrom } from "./Kind.ts"
import { useOpened } from "./Opened.tsx"

/** Characters of an address that every mail program and chat passes on whole. */
const longestAddress = 1800

const textOf = <State>({ codec, essence }: Kind<State>, state: State): string => codec.write(essence(state)).toString()

/**
 * The state of a page of questions, which is its address. `?q={id}` alone is the question as it was saved; what stands beside it is the
 * question as it was changed since. An address that is too long to be passed on becomes one of a question that no list shows.
 */
export const useQuestionState = <State>(kind: Kind<State>) => {
  const { applicationId, timezone, may } = useProject()
  const search = useSearch()
  const [path, navigate] = useLocation()
  const opened = useOpened()
  const { mutate } = useSave(applicationId)
  const saved = useMemo(() => (opened === null ? null : kind.read(opened, timezone)), [kind, opened, timezone])
  const read = useCallback(
    (text: string): State => {
      const parameters = new URLSearchParams(text)
      parameters.delete("q")
      return saved !== null && parameters.size === 0 ? saved : kind.codec.read(parameters)
    },
    [kind, saved]
  )
  const state = useMemo(() => read(search), [read, search])
  const named = opened !== null && opened.listed ? opened.id : null
  const change = useCallback(
    (update: (state: State) => State, options: { readonly replace?: boolean } = {}) => {
      const next = kind.codec.write(update(read(window.location.search)))
      const isSaved = saved !== null && next.toString() === kind.codec.write(saved).toString()
      const parameters = new URLSearchParams(opened !== null && (isSaved || named !== null) ? { q: opened.id } : {})
      if (!isSaved) for (const [name, value] of next) parameters.append(name, value)
      navigate(path + readable(parameters), { replace: options.replace ?? false })
    },
    [kind, named, navigate, opened, path, read, saved]
  )
  const isLong = path.length + search.length > longestAddress && may("queries:write")
  useEffect(() => {
    const definition = isLong ? kind.definition(state, timezone) : null
    if (definition === null) return
    let isPresent = true
    const timer = setTimeout(
      () =>
        mutate(
          { id: null, body: { name: nameFrom(kind.words(state)), listed: false, ...definition } },
          // Who has changed the question meanwhile goes on with theirs.
          { onSuccess: ({ id }) => isPresent && navigate(`${path}?q=${id}`, { replace: true }) }
        ),
      1000
    )
    return () => {
      isPresent = false
      clearTimeout(timer)
    }
  }, [isLong, kind, mutate, navigate, path, state, timezone])
  const isChanged = saved !== null && textOf(kind, state) !== textOf(kind, saved)
  const restore = useCallback(() => {
    if (opened !== null) navigate(`${path}?q=${opened.id}`)
  }, [navigate, opened, path])
  return { state, change, saved: named === null ? null : opened, isChanged, restore } as const
}
