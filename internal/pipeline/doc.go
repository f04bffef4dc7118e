// Package pipeline is the main job as values: requirements are read, a model is designed or loaded, compiled, priced and
// proven, and documents are made of the result. The command line and whatever else drives the job share it, so none of
// them repeats an order of steps, a default or a check.
//
// A [Job] begins with [Read] and is filled step by step:
//
//	job, err := pipeline.Read(requirements)   // *Findings: the document has errors
//	err = job.Design(ctx, o)                  // or job.Load(model)
//	err = job.Prove(ctx, o)                   // sets Evidence; what is not proven is no error
//	files, err := job.Documents()
//
// Nothing here prints, reads flags or writes files; what is under way is told to Options.Progress, and a context ends
// everything. proof.go says where a proof runs: an engine in this process, or an endpoint.
package pipeline
