// The order of a folder's requests: what makes or finds things comes before what is about them.
import { filledBy, named, namedIn } from './variables.mjs'

/** Sorts the requests of each folder so that, run from top to bottom, each finds its variables filled. */
export function inOrder(collection) {
  const filled = new Set()
  for (const folder of collection.item) folder.item = sorted(folder.item, filled)
}

/**
 * Takes, again and again, a request that needs nothing more than what has been filled: one that makes something new if
 * there is one, since lists may be empty, and of those one about a single thing, since a request for many succeeds even if
 * nothing is left to do; what takes something away is last, and of that a part of a thing is before the thing.
 */
function sorted(items, filled) {
  const depth = ({ request }) => request.url.path.length
  const ends = items.filter(deletes).sort((one, other) => depth(other) - depth(one))
  const waiting = [...items.filter((item) => !deletes(item)), ...ends]
  const done = []
  const isReady = (item) => needs(item).every((name) => filled.has(name))
  const makes = (item) => item.request.method === 'POST' && fills(item).some((name) => !filled.has(name))
  while (waiting.length > 0) {
    const ready = waiting.filter(isReady)
    const makers = ready.filter(makes)
    const next = makers.find(isAboutOne) ?? makers[0] ?? ready[0] ?? waiting[0]
    waiting.splice(waiting.indexOf(next), 1)
    for (const name of fills(next)) filled.add(name)
    done.push(next)
  }
  return done
}

const needs = ({ request }) => namedIn(JSON.stringify(named([request.url.variable, request.body ?? null])))
const fills = ({ response }) => response.flatMap((example) => filledBy(example.body ?? ''))

const isAboutOne = ({ request }) => request.url.variable?.length > 0

/** Whether the request takes something away. */
const deletes = ({ request }) => request.method === 'DELETE' || request.url.path.at(-1) === 'end'
