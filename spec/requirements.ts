import type { Requirement } from './requirement.ts'
import { faults } from './requirements/faults.ts'
import { transportGaps } from './requirements/gaps-1-to-2-transport.ts'
import { requestGaps } from './requirements/gaps-3-requests.ts'
import { replyGaps } from './requirements/gaps-4-to-6-replies.ts'
import { behaviourGaps } from './requirements/gaps-7-to-10-behaviour.ts'
import { conflicts } from './requirements/gaps-12-conflicts.ts'
import { decisions } from './requirements/gaps-13-decisions.ts'
import { recurringGaps } from './requirements/gaps-14-recurring.ts'
import { service } from './requirements/part-1-service.ts'
import { resources } from './requirements/part-2-resources.ts'
import { states } from './requirements/part-3-states.ts'
import { endpoints } from './requirements/part-4-endpoints.ts'
import { authentication } from './requirements/part-5-authentication.ts'
import { eventsErrorsLimitsVersions } from './requirements/parts-6-to-9.ts'

/** Every rule of the interface: those of the specification in its order, then those that fill its gaps. */
export const requirements: readonly Requirement[] = [
  ...service,
  ...resources,
  ...states,
  ...endpoints,
  ...authentication,
  ...eventsErrorsLimitsVersions,
  ...transportGaps,
  ...requestGaps,
  ...replyGaps,
  ...behaviourGaps,
  ...conflicts,
  ...decisions,
  ...recurringGaps,
  ...faults,
]
