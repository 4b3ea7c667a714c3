//! Invalid accesses: what is wrong with the access that an execution ends with, and with which object.

use crate::base::Loc;
use crate::event::ThreadId;

/// An access of memory that is not there.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Misaccess {
    /// Kind of the access.
    pub access: Access,
    /// Reason why it is invalid.
    pub flaw: Flaw,
    /// The object that the address belongs to; `None` if it belongs to none.
    pub object: Option<Involved>,
}

/// Kind of an access.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Access {
    /// A load of so many bytes.
    Read(u64),
    /// A store, or both, of so many bytes.
    Write(u64),
    /// An operation on a mutex.
    Lock,
    /// A call through a pointer.
    Call,
    /// `free` or `realloc`.
    Free,
}

/// Reason why an access is invalid.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Flaw {
    /// The pointer is null, or so little more.
    Null,
    /// The address belongs to no object.
    Wild,
    /// The object has ended.
    Ended,
    /// It begins so many bytes behind the object's begin, and not all of it is within the object.
    Outside(i64),
    /// It is within the object, so many bytes behind its begin, but not where its type may be.
    Misaligned(i64),
    /// No block: what is freed is not of the heap, or begins so many bytes before.
    NoBlock(i64),
}

/// The object of an invalid access.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Involved {
    /// Its name; empty if it has none.
    pub name: String,
    /// Its size.
    pub size_bytes: u64,
    /// Storage: true if it is a block of the heap.
    pub heap: bool,
    /// Thread and place of its allocation, or of its declaration; `None` if it was always there.
    pub made: Option<(ThreadId, Loc)>,
    /// Thread and place of its end; `None` if it lives.
    pub ended: Option<(ThreadId, Loc)>,
}
