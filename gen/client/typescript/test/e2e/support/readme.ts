import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { source } from './project.js'

/** A block of code in a document. */
export interface Example {
  heading: string
  code: string
}

/** Returns the blocks of code in a language with their headings. */
export function examples(document: string, language: string): Example[] {
  const text = readFileSync(join(source, document), 'utf8')
  const found: Example[] = []
  let heading = ''
  for (const [, title, fence, code] of text.matchAll(/^#+ (.*)$|^```(\w+)\n([\s\S]*?)^```$/gm)) {
    if (title) heading = title
    else if (fence === language) found.push({ heading, code: code ?? '' })
  }
  return found
}
