import { useMutation } from "@tanstack/react-query"

interface Based {
  /** When the state that was changed was written: where somebody has written another since, the change is refused. */
  readonly basedOn?: string
}

interface Writes<Body, Saved> {
  readonly create: (body: Body) => Promise<Saved>
  readonly update: (id: string, body: Body, based: Based) => Promise<Saved>
  readonly onSaved: (saved: Saved) => unknown
}

interface Asked<Body> extends Based {
  readonly id: string | null
  readonly body: Body
}

/** Saves a body as something new where its id is null, and else as the thing of that id. */
export const useSaving = <Body, Saved>({ create, update, onSaved }: Writes<Body, Saved>) =>
  useMutation({
    mutationFn: ({ id, body, basedOn }: Asked<Body>) =>
      id === null ? create(body) : update(id, body, basedOn === undefined ? {} : { basedOn }),
    onSuccess: onSaved
  })

/** What was refused, to be saved over what somebody else has made of it. */
export const insisting = <Body>({ id, body }: Asked<Body>): Asked<Body> => ({ id, body })
