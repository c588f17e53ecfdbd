/** The resources in the service's words (interface, section 1). */
export const NOUNS: Record<string, string> = {
	location: 'location',
	keyword: 'keyword',
	rankScan: 'rank scan',
	post: 'content post',
	insight: 'insight',
};
