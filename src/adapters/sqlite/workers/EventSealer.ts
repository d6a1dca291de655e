import { parentPort, workerData } from "node:worker_threads"
import { giveWay } from "../../node/GiveWay.ts"
import { answering } from "../events/threads/SealerThread.ts"
import type { SealerReply, SealerRequest, SealerStart } from "../events/threads/SealerProtocol.ts"

giveWay()

const start: SealerStart = workerData
const answer = answering(start, (reply: SealerReply) => parentPort?.postMessage(reply))

parentPort?.on("message", (request: SealerRequest) => answer(request))
