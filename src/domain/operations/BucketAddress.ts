/** A place in an S3-compatible store: a bucket, and what the names of all objects begin with, empty or with a slash at its end. */
export interface BucketAddress {
  readonly bucket: string
  readonly prefix: string
}

/** Whether a folder of backups, as an operator names it, is in a bucket. */
export const isInBucket = (folder: string): boolean => folder.startsWith("s3://")

/** What `s3://bucket/prefix` names; undefined where it names no bucket. Names of buckets are those that AWS allows. */
export const bucketAddressOf = (folder: string): BucketAddress | undefined => {
  const [, bucket, path = ""] = /^s3:\/\/([a-z0-9][a-z0-9.-]{1,61}[a-z0-9])(?:\/(.*))?$/.exec(folder) ?? []
  if (bucket === undefined) return undefined
  const trimmed = path.replace(/^\/+|\/+$/g, "")
  return { bucket, prefix: trimmed === "" ? "" : `${trimmed}/` }
}
