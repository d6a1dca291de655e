// Effect makes each layer of a program by some fifty steps: it takes turns with others at the map of the layers that are made, keeps what one
// has made in references and compares all of the fiber's state before and after. The server is made of more than a thousand layers, which was
// a third of the processor time of a start. This part of the build has the same done by a dozen steps: nobody can come between the steps of
// one thread, so what is counted and kept needs no turns.
import { createHash } from "node:crypto"
import { readFileSync } from "node:fs"

/** What a layer has made: whoever needs the same layer takes it from here, and the last who lets go of it has it released. */
const madeLayer = `class MadeLayer {
  deferred;
  result = undefined;
  observers = 0;
  inner = undefined;
  constructor(deferred) {
    this.deferred = deferred;
  }
  /** For those who come later, uninterruptible but for the wait until it is made. */
  take(scope, restore) {
    return this.result === undefined
      ? core.flatMap(restore(core.deferredAwait(this.deferred)), result => this.hold(scope, result))
      : this.hold(scope, this.result);
  }
  hold(scope, [patch, context]) {
    this.observers += 1;
    return core.flatMap(core.scopeAddFinalizerExit(scope, exit => this.release(exit)), () =>
      patch === null ? core.succeed(context) : core.as(effect.patchFiberRefs(patch), context));
  }
  release(exit) {
    return core.suspend(() => {
      this.observers -= 1;
      return this.observers === 0 ? core.scopeClose(this.inner, exit) : core.void;
    });
  }
}
`

const memoMap = `class MemoMapImpl {
  layers = new Map();
  [MemoMapTypeId] = MemoMapTypeId;
  getOrElseMemoize(layer, scope) {
    return core.uninterruptibleMask(restore => core.withFiberRuntime(fiber => {
      const known = this.layers.get(layer);
      if (known !== undefined) return known.take(scope, restore);
      const made = new MadeLayer(core.deferredUnsafeMake(fiber.id()));
      if (!isFresh(layer)) this.layers.set(layer, made);
      return core.flatMap(fiberRuntime.scopeMake(), inner => {
        made.inner = inner;
        const before = fiber._fiberRefs;
        return core.matchCauseEffect(restore(core.flatMap(makeBuilder(layer, inner, true), make => make(this))), {
          onFailure: cause => core.zipRight(
            core.deferredFailCause(made.deferred, cause),
            core.zipRight(core.scopeClose(inner, core.exitFailCause(cause)), core.failCause(cause))
          ),
          onSuccess: context => {
            const patch = fiber._fiberRefs === before ? null : FiberRefsPatch.diff(before, fiber._fiberRefs);
            made.observers += 1;
            return core.flatMap(core.scopeAddFinalizerExit(scope, exit => {
              this.layers.delete(layer);
              return made.release(exit);
            }), () => {
              made.result = [patch === null || patch._tag === "Empty" ? null : patch, context];
              core.deferredUnsafeDone(made.deferred, core.succeed(made.result));
              return core.succeed(context);
            });
          }
        });
      });
    }));
  }
}
`

const providing = `const providing = (self, context) => core.uninterruptibleMask(restore => core.withFiberRuntime(fiber => {
  const before = fiber._fiberRefs;
  const own = fiber.currentContext;
  fiber.setFiberRef(core.currentContext, context);
  const within = fiber._fiberRefs;
  const putBack = () => fiber._fiberRefs === within ? fiber.setFiberRefs(before) : fiber.setFiberRef(core.currentContext, own);
  return core.matchCauseEffect(restore(self), {
    onFailure: cause => {
      putBack();
      return core.failCause(cause);
    },
    onSuccess: value => {
      putBack();
      return core.succeed(value);
    }
  });
}));
`

const provide = `        return core.sync(() => memoMap =>
          core.flatMap(memoMap.getOrElseMemoize(op.first, scope), env => providing(memoMap.getOrElseMemoize(op.second, scope), env)));
`

/** One after the other: what waits for nothing gains nothing by fibers of its own. */
const zip = `        return core.flatMap(core.scopeFork(scope, ExecutionStrategy.parallel), both =>
          core.flatMap(core.scopeFork(both, ExecutionStrategy.sequential), firstScope =>
            core.map(core.scopeFork(both, ExecutionStrategy.sequential), secondScope => memoMap =>
              core.flatMap(memoMap.getOrElseMemoize(op.first, firstScope), first =>
                core.map(memoMap.getOrElseMemoize(op.second, secondScope), second => op.zipK(first, second))))));
`

const mergeAll = `        return core.map(core.scopeFork(scope, ExecutionStrategy.parallel), all => memoMap => {
          const contexts = [];
          return core.map(
            core.forEachSequentialDiscard(op.layers, layer =>
              core.flatMap(core.scopeFork(all, ExecutionStrategy.sequential), own =>
                core.map(memoMap.getOrElseMemoize(layer, own), context => void contexts.push(context)))),
            () => Context.mergeAll(...contexts)
          );
        });
`

/** Where the parts of Effect's source begin and end whose place is taken, and the digest of what is known to be there. */
const places = [
  {
    from: "class MemoMapImpl {",
    to: "/** @internal */\nexport const makeMemoMap",
    digest: "3-jCotQfdQ1j",
    instead: madeLayer + memoMap + providing
  },
  {
    from: "        return core.sync(() => memoMap => pipe(memoMap.getOrElseMemoize(op.first, scope), core.flatMap(env",
    to: '      }\n    case "Scoped"',
    digest: "FATWnSLTkgEH",
    instead: provide
  },
  {
    from: "        return core.gen(function* () {",
    to: '      }\n    case "MergeAll"',
    digest: "fSD8VCHxIZaB",
    instead: zip
  },
  { from: "        const layers = op.layers;", to: "      }\n  }\n};", digest: "BRrPDsl3FVek", instead: mergeAll }
]

const digestOf = (text) => createHash("sha256").update(text).digest("base64url").slice(0, 12)

/** Effect's source of layers with the light steps in it; null where it is not the source that this knows. */
export const makingLightly = (source) =>
  places.reduce((left, { from, to, digest, instead }) => {
    const begin = left?.indexOf(from) ?? -1
    const end = begin < 0 ? -1 : left.indexOf(to, begin)
    return end < 0 || digestOf(left.slice(begin, end)) !== digest
      ? null
      : left.slice(0, begin) + instead + left.slice(end)
  }, source)

export const lightLayers = {
  name: "light-layers",
  setup: (build) =>
    build.onLoad({ filter: /effect[\\/]dist[\\/]esm[\\/]internal[\\/]layer\.js$/ }, ({ path }) => {
      const contents = makingLightly(readFileSync(path, "utf8"))
      return contents === null
        ? { errors: [{ text: `${path} makes layers in another way than src/lightLayers.mjs knows` }] }
        : { contents, loader: "js" }
    })
}
