// Runs the Postman collection against a server as Postman does: node run.mjs COLLECTION FOLDER
//
// API and TOKEN name the server and an account with cards; FOLDER holds card.jpg, the photo that is uploaded. Every request
// must be answered as the contract says, and every operation but one must succeed.
import { readFileSync } from 'node:fs'
import { promisify } from 'node:util'
import newman from 'newman'

/** A listing is ended as soon as it is published here, when the marketplace has hardly heard of it: 409 may be right. */
const mayFail = ['End a listing']

const [file, workingDir] = process.argv.slice(2)
const collection = JSON.parse(readFileSync(file, 'utf8'))
const items = collection.item.flatMap((folder) => folder.item)
// The card and the photo that were deleted are made again: what follows needs them.
const again = {
  'Delete a card': ['Import cards', 'Update a card', 'Upload a photo'],
  'Delete a photo': ['Upload a photo'],
}
collection.item = items.flatMap((item) => [item, ...(again[item.name] ?? []).map((name) => repeat(name, item))])

/** Returns the request of this name, to be sent once more after another one. */
function repeat(name, after) {
  const found = items.find((item) => item.name === name)
  return { ...found, id: `${found.id}-after-${after.id}` }
}

const summary = await promisify(newman.run)({
  collection,
  workingDir,
  envVar: [
    { key: 'baseUrl', value: process.env.API },
    { key: 'token', value: process.env.TOKEN },
  ],
  timeoutRequest: 60_000,
})

const { executions, failures } = summary.run
const problems = failures.map((failure) => `${failure.source?.name}: ${failure.error.message}`)
for (const { item, response } of executions) {
  if (response && response.code >= 300 && !mayFail.includes(item.name)) problems.push(`${item.name}: ${response.code} ${response.text()}`)
}
if (executions.length !== collection.item.length) problems.push(`${executions.length} of ${collection.item.length} requests were sent`)
for (const problem of problems) console.error(`collection: ${problem}`)
console.log(`collection: ${executions.length} requests, ${problems.length} problems`)
process.exitCode = problems.length > 0 ? 1 : 0
