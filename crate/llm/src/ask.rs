//! Chat requests as the questions of an agent, replies and troubles as their answers.

use crate::chat::{ChatRequest, Reply, RequestError};
use crate::exchange::Trouble;
use tandem_core::{Answer, Faculty, Fault, Millis, Question};

/// The question of an agent that asks a language model. After `within` it is told that no answer came, and does what it
/// does without a model.
///
/// ```
/// use tandem_core::{Answer, Fault, Millis};
/// use tandem_llm::{ask, chat::{ChatRequest, Message, Reply}};
/// let request = ChatRequest::new("m", vec![Message::User("Where?".into())]);
/// let question = ask::question(&request, Millis(5_000));
/// // Whoever owns the network:
/// assert_eq!(ask::request(&question)?, request);
/// let answer = ask::answer(&Ok(Reply::text("Here.")));
/// // The agent, when it is answered:
/// assert_eq!(ask::reply(answer), Ok(Reply::text("Here.")));
/// assert_eq!(ask::reply(Answer::Failed(Fault::Late)), Err(Fault::Late));
/// # Ok::<(), tandem_llm::chat::RequestError>(())
/// ```
pub fn question(request: &ChatRequest, within: Millis) -> Question {
    // Texts, numbers and JSON values: writing them cannot fail.
    Question { to: Faculty::Language, body: serde_json::to_value(request).unwrap_or_default(), within }
}

/// The request in a question.
pub fn request(question: &Question) -> Result<ChatRequest, RequestError> {
    if question.to != Faculty::Language {
        let what = "the question is not for a language model".to_owned();
        return Err(RequestError { field: "to".to_owned(), what });
    }
    let request: ChatRequest = serde_path_to_error::deserialize(&question.body)
        .map_err(|error| RequestError { field: error.path().to_string(), what: error.inner().to_string() })?;
    request.check()?;
    Ok(request)
}

/// The answer made of what came of an exchange.
pub fn answer(result: &Result<Reply, Trouble>) -> Answer {
    match result {
        Ok(reply) => Answer::Reply(reply.clone().into()),
        Err(trouble) => Answer::Failed(trouble.fault()),
    }
}

/// The reply in an answer; checked again, since an answer may come out of a trace that somebody wrote.
pub fn reply(answer: Answer) -> Result<Reply, Fault> {
    match answer {
        Answer::Reply(value) => Reply::try_from(value).map_err(|error| Fault::Broken(error.to_string())),
        Answer::Failed(fault) => Err(fault),
    }
}
