import { startChallenge } from './challenge.ts'
import { startController } from './controller.ts'
import { startElement } from './element/element.ts'
import './frames.css'

const starts: Readonly<Record<string, () => void>> = {
  challenge: startChallenge,
  controller: startController,
  element: startElement,
}

// In a window of its own it has no page to talk to.
if (window.parent !== window) starts[document.documentElement.dataset.frame ?? '']?.()
