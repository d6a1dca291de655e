/** Experiments of removed environments are hidden until they are deleted. */
export const isInEnvironment = "environment_id in (select id from environments)"

/** The statement for the revisions of an environment's experiments that have not ended. `place` stands for the environment. */
export const openRevisions = (place: string): string =>
  `select id, revision from experiments where environment_id = ${place} and is_open = 1 and ${isInEnvironment}`
