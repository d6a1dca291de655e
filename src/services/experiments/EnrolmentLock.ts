import type { EnvironmentId } from "../../domain/Ids.ts"

/**
 * Names what transactions hold that put units into groups of the environment's experiments, or change what decides about that: nobody joins
 * an experiment that has just ended, and turns follow one another.
 */
export const enrolmentLock = (environmentId: EnvironmentId): string => `enrolment ${environmentId}`
