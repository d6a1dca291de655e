import { isInBucket } from "../domain/operations/BucketAddress.ts"
import type { Configuration } from "./Config.ts"

/** How an S3-compatible store is reached; its key is in the environment alone, so that no list of processes shows it. */
export type BucketSettings = Pick<Configuration, "s3Endpoint" | "s3Region">

/** What a command that is started is told of the store, where the place is a bucket. */
export const bucketOptions = (place: string, { s3Endpoint, s3Region }: BucketSettings): ReadonlyArray<string> =>
  isInBucket(place) ? ["--s3-endpoint", s3Endpoint, "--s3-region", s3Region] : []
